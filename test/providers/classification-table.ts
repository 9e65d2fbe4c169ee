import { describe, expect, it } from "vitest";
import type { Failed, FailureClass, Outcome } from "../../src/cascade/outcome.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { providerById } from "../../src/providers/registry.ts";
import type { ProviderId } from "../../src/providers/types.ts";
import { readersOf } from "./readers.ts";

export type Expected = FailureClass | "empty" | "hit";
export type Row = readonly [what: string, reply: UpstreamReply, expected: Expected, facts?: Partial<Failed>];

/** Read as an answer of one kind of search or engine; of the provider's usual one where none is named. */
export function outcomeOf(id: ProviderId, given: UpstreamReply, what?: string): Outcome<unknown> {
  const readers = readersOf(providerById(id)!);
  return readers.find((reader) => what === undefined || reader.what === what)!.read(given);
}

export function classOf(outcome: Outcome<unknown>): Expected {
  return outcome.kind === "failed" ? outcome.class : outcome.kind;
}

/** One test for each row of a provider's table. */
export function table(id: ProviderId, rows: readonly Row[], what?: string): void {
  describe(`${what ?? id}'s table`, () => {
    const cases = rows.map(([name, given, expected, facts = {}]) => ({ name, given, expected, facts }));
    it.each(cases)("$name", ({ given, expected, facts }) => {
      const outcome = outcomeOf(id, given, what);
      expect(classOf(outcome)).toBe(expected);
      expect(outcome).toMatchObject(facts);
    });
  });
}
