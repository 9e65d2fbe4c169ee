import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldFaults } from "../src/field-faults.ts";

const schema = z.strictObject({ filename: z.string().min(1), rows: z.array(z.object({ "a/b": z.int() })) });

function faultsOf(input: unknown): ReturnType<typeof fieldFaults> {
  return fieldFaults(schema.safeParse(input).error!, "/body");
}

describe("the faults of an input", () => {
  it("say in plain words that a text is empty or a field unknown, and where", () => {
    expect(faultsOf({ filename: "", rows: [], filenam: 1 })).toEqual([
      { pointer: "/body/filename", detail: "must not be empty" },
      { pointer: "/body/filenam", detail: "is not a known field" },
    ]);
  });

  it("point to a field by RFC 6901", () => {
    expect(faultsOf({ filename: "a", rows: [{ "a/b": "x" }] }).map(({ pointer }) => pointer)).toEqual([
      "/body/rows/0/a~1b",
    ]);
  });
});
