import { beforeAll, describe, expect, it } from "vitest";
import { until, upstreamsUrl } from "./batch-project.ts";
import { Description } from "./openapi-check.ts";
import { CASES } from "./openapi-cases.ts";
import { World } from "./openapi-world.ts";

const world = new World();
let description: Description;

beforeAll(async () => {
  description = await Description.fetch();
  await world.build();
});

describe("what the API answers", () => {
  it.each(CASES)("%s: %i is as described", async (operationId, status, ask) => {
    const response = await ask(world);
    expect([response.status, await description.faultsOf(operationId, response)]).toEqual([status, []]);
  });

  it("has been looked at for every operation: a success and an error at least", () => {
    const asked = (operationId: string, isWanted: (status: number) => boolean) =>
      CASES.some(([id, status]) => id === operationId && isWanted(status));
    const missing = Object.values(description.document.paths)
      .flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
      .filter((id) => !asked(id, (status) => status < 300) || !asked(id, (status) => status >= 400));
    expect(missing).toEqual([]);
  });

  it("has the same form in every webhook that is sent", async () => {
    const sent = await until(async () => {
      const response = await fetch(`${upstreamsUrl()}/__requests`);
      const { requests } = await response.json<{ requests: { path: string; body: string }[] }>();
      const bodies = requests.filter(({ path }) => path === world.hookPath).map(({ body }) => body);
      return bodies.length >= 4 ? bodies : undefined;
    });
    const types = new Set(sent.map((body) => (JSON.parse(body) as { type: string }).type));
    expect([...types].toSorted()).toEqual(Object.keys(description.document.webhooks).toSorted());
    for (const body of sent) {
      expect(await description.webhookFaults((JSON.parse(body) as { type: string }).type, body)).toEqual([]);
    }
  });
});
