import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../../src/providers/registry.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { FAULT_CASES, FAULT_CASES_RECEIVED_AT, type FaultCase } from "../upstreams/fault-cases.ts";
import { pictures, search } from "./replies.ts";

const KEY = "planted-key-0123";

function asReply({ status, headers, body }: FaultCase): UpstreamReply {
  return { status, headers: new Headers(headers), body, receivedAt: FAULT_CASES_RECEIVED_AT };
}

const cases = PROVIDERS.flatMap((provider) =>
  (FAULT_CASES[provider.id] ?? []).map((fault) => ({ provider, fault, name: `${provider.id}: ${fault.id}` })),
);

describe("every fault that the simulator can show", () => {
  it("is there for every provider", () => {
    expect(PROVIDERS.filter(({ id }) => (FAULT_CASES[id] ?? []).length === 0)).toEqual([]);
  });

  it.each(cases)("$name is read as what it is", ({ provider: { web, licensedImages }, fault }) => {
    const outcome = web ? web.read(asReply(fault), search()) : licensedImages!.read(asReply(fault), pictures());
    expect(outcome.kind === "failed" ? outcome.class : outcome.kind).toBe(fault.expected);
    const { permanent, retryAfterMs } = fault;
    expect(outcome).toMatchObject({
      ...(permanent ? { permanent } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  // A refusal is worded the same whatever was asked for; lists are not.
  it.each(cases.filter(({ provider, fault }) => provider.images !== undefined && fault.status >= 300))(
    "$name is the same to an image search",
    ({ provider: { images }, fault }) => {
      const outcome = images!.read(asReply(fault), search());
      expect(outcome.kind === "failed" ? outcome.class : outcome.kind).toBe(fault.expected);
    },
  );
});
