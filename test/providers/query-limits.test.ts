import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToBytes, cutToCharacters, cutToEncoded, cutToWords } from "../../src/providers/query-limits.ts";

describe("cutting a query", () => {
  it("leaves a query within the limit as it is, but for its spaces", () => {
    expect(cutToCharacters("  old \n bridge ", 10)).toBe("old bridge");
  });

  it("cuts at a word", () => {
    expect(cutToCharacters("old stone bridge", 12)).toBe("old stone");
    expect(cutToCharacters("old stone bridge", 9)).toBe("old stone");
  });

  it("cuts Chinese at a character, and a Latin word after it whole", () => {
    expect(cutToCharacters("重庆解放碑夜景", 4)).toBe("重庆解放");
    expect(cutToCharacters("重庆 monument", 6)).toBe("重庆");
    expect(cutToCharacters("monument重庆", 9)).toBe("monument重");
  });

  it("cuts a single long word at the limit", () => {
    expect(cutToCharacters("a".repeat(30), 10)).toBe("a".repeat(10));
  });

  it("never splits a character of two units", () => {
    expect(cutToCharacters("𠮷𠮷𠮷", 3)).toBe("𠮷");
    expect(cutToCharacters("😀😀", 3)).toBe("😀");
  });

  it("counts bytes and encoded characters where a provider does", () => {
    expect(cutToBytes("解放碑", 7)).toBe("解放");
    expect(cutToBytes("é".repeat(10), 5)).toBe("éé");
    expect(cutToEncoded("解放碑", 18)).toBe("解放");
  });

  it("counts words", () => {
    expect(cutToWords("one  two three four", 2)).toBe("one two");
  });

  it("keeps every limit for every text, with a beginning of the query", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (query, limit) => {
        const tidied = query.toWellFormed().replace(/\s+/g, " ").trim();
        expect(cutToCharacters(query, limit).length).toBeLessThanOrEqual(limit);
        expect(new TextEncoder().encode(cutToBytes(query, limit)).length).toBeLessThanOrEqual(limit);
        expect(encodeURIComponent(cutToEncoded(query, limit)).length).toBeLessThanOrEqual(limit);
        expect(tidied.startsWith(cutToCharacters(query, limit))).toBe(true);
      }),
    );
  });
});
