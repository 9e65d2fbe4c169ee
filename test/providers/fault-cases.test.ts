import { describe, expect, it } from "vitest";
import { PROVIDERS } from "../../src/providers/registry.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { FAULT_CASES, FAULT_CASES_RECEIVED_AT, type FaultCase } from "../upstreams/fault-cases.ts";
import { readersOf } from "./readers.ts";

const KEY = "planted-key-0123";

function asReply({ status, headers, body }: FaultCase): UpstreamReply {
  return { status, headers: new Headers(headers), body, receivedAt: FAULT_CASES_RECEIVED_AT };
}

const cases = PROVIDERS.flatMap((provider) =>
  (FAULT_CASES[provider.id] ?? []).map((fault) => ({ provider, fault, name: `${provider.id}: ${fault.id}` })),
);

// A refusal is worded the same whatever was asked for; lists are not.
const refusals = cases
  .filter(({ fault }) => fault.status >= 300)
  .flatMap(({ provider, fault, name }) =>
    readersOf(provider)
      .slice(1)
      .map(({ what, read }) => ({ fault, read, name: `${name} at ${what}` })),
  );

describe("every fault that the simulator can show", () => {
  it("is there for every provider", () => {
    expect(PROVIDERS.filter(({ id }) => (FAULT_CASES[id] ?? []).length === 0)).toEqual([]);
  });

  it.each(cases)("$name is read as what it is", ({ provider, fault }) => {
    const outcome = readersOf(provider)[0]!.read(asReply(fault));
    expect(outcome.kind === "failed" ? outcome.class : outcome.kind).toBe(fault.expected);
    const { permanent, retryAfterMs } = fault;
    expect(outcome).toMatchObject({
      ...(permanent ? { permanent } : {}),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  it.each(refusals)("$name is the same", ({ fault, read }) => {
    const outcome = read(asReply(fault));
    expect(outcome.kind === "failed" ? outcome.class : outcome.kind).toBe(fault.expected);
  });
});
