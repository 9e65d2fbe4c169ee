import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { CORPUS } from "../fuzz/corpus.ts";
import { callsOf, type FuzzRequest, requestsTo } from "../fuzz/requests.ts";
import { toolCall } from "../fuzz/tool-call.ts";
import { FuzzTarget } from "./fuzz-target.ts";

const SEED = 20_261_201;
const RUNS = 60;

const target = new FuzzTarget();
beforeAll(() => target.build());

describe("an answer to what nobody foresaw", () => {
  it("is described, in time, without our insides, and nothing is stored of what was refused", async () => {
    const found: unknown[] = [];
    for (const operation of target.operations()) {
      const requests = requestsTo(operation, target.document);
      for (const request of fc.sample(requests, { seed: SEED, numRuns: RUNS })) found.push(...(await tried(request)));
    }
    expect(found).toEqual([]);
  }, 240_000);

  it("is the same through the tools of MCP", async () => {
    const found: unknown[] = [];
    for (const tool of await target.tools()) {
      for (const request of fc.sample(callsOf(tool, toolRequest), { seed: SEED, numRuns: RUNS })) {
        found.push(...(await tried(request)));
      }
    }
    expect(found).toEqual([]);
  }, 120_000);

  it.each(CORPUS.map((found) => [found.name, found] as const))("%s", async (_, { request, status }) => {
    expect(await target.faultsOf(request)).toEqual([]);
    expect((await target.send(request)).status).toBe(status);
  });
});

async function tried(request: FuzzRequest): Promise<unknown[]> {
  const faults = await target.faultsOf(request);
  return faults.length === 0 ? [] : [{ faults, request: shortened(request) }];
}

function toolRequest(name: string, args: unknown): FuzzRequest {
  const { headers, message } = toolCall(name, args);
  return {
    operationId: "callMcp",
    method: "POST",
    path: "/mcp",
    headers,
    body: JSON.stringify(message),
    isPlain: true,
  };
}

/** So that a failure can be read; the seed gives the whole. */
function shortened(request: FuzzRequest): unknown {
  const body = typeof request.body === "string" ? request.body.slice(0, 600) : request.body && [...request.body];
  return { ...request, path: request.path.slice(0, 300), body };
}
