import { beforeAll, describe, expect, it } from "vitest";
import { operationsOf } from "../openapi/document.ts";
import { Gateway } from "./gateway.ts";
import { Description } from "./openapi-check.ts";

const CHUNK = new Uint8Array(64 * 1024).fill(0x78);
/** More than any route takes. */
const CHUNKS = 27 * 16;
const gateway = new Gateway();
/** What stands in addresses, so that nothing but the body is wrong. */
const KNOWN: Readonly<Record<string, string>> = { project: "deck", filename: "alps.jpg", id: "github" };
/** Whoever has no link is refused before a byte of his is read. */
const REFUSED_BEFORE = /^\/review\//;
let targets: { method: string; path: string; hasBody: boolean }[] = [];

beforeAll(async () => {
  const { document } = await Description.fetch();
  targets = operationsOf({ ...document, webhooks: {} })
    .filter(({ method }) => ["POST", "PUT", "PATCH"].includes(method))
    .map(({ method, path, operation }) => ({
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => KNOWN[name] ?? "none"),
      hasBody: operation.requestBody !== undefined,
    }));
});

/** Comes piece by piece and does not say how much it is. */
function endless(): { readonly body: ReadableStream<Uint8Array>; readonly sent: () => number } {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent++ < CHUNKS) controller.enqueue(CHUNK);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => sent };
}

describe("a body", () => {
  it("of any route is refused over its cap, before it is parsed and whether or not it says how long it is", async () => {
    expect(targets.length).toBeGreaterThan(15);
    for (const { method, path, hasBody } of targets) {
      const { body, sent } = endless();
      const json = { "content-type": "application/json" };
      const query = path.endsWith("/upload") ? "?source_page_url=https://example.org/" : "";
      const streamed = await gateway.fetch(path + query, { method, headers: json, body });
      if (!hasBody || REFUSED_BEFORE.test(path)) expect([path, sent()]).toEqual([path, 0]);
      else {
        expect([path, streamed.status]).toEqual([path, 413]);
        expect(await streamed.json()).toMatchObject({ code: "body-too-large" });
        // Nobody reads on for the sake of it.
        expect(sent()).toBeLessThan(CHUNKS);
      }
      const announced = await gateway.fetch(path, {
        method,
        headers: { ...json, "content-length": String(CHUNKS * CHUNK.length) },
        body: "{}",
      });
      expect([path, announced.status]).toEqual([path, 413]);
    }
  });

  it("of most routes may be 64 KiB and no more", async () => {
    const sized = (bytes: number) => gateway.post("/v1/web-search", `"${"x".repeat(bytes - 2)}"`);
    expect((await sized(64 * 1024)).status).toBe(400);
    expect((await sized(64 * 1024 + 1)).status).toBe(413);
  });
});
