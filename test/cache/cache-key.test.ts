import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cacheKey, normalizedQuery, type SearchIdentity } from "../../src/cache/cache-key.ts";

const SEARCH: SearchIdentity = {
  tenant: "one",
  kind: "web",
  query: "french alpine landscape",
  options: { page: 1, num: 10, safe: true, country: "vn" },
  steps: ["serpapi", "serper"],
};

describe("the key of a search", () => {
  it("is a SHA-256, and equal for equal searches in any order of options", async () => {
    const key = await cacheKey(SEARCH);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const options = { country: "vn", safe: true, num: 10, page: 1, locale: undefined };
    expect(await cacheKey({ ...SEARCH, options, query: " French  alpine\tLANDSCAPE" })).toBe(key);
  });

  it.each<Partial<SearchIdentity>>([
    { tenant: "two" },
    { proxy: "http://127.0.0.1:8788" },
    { kind: "image" },
    { query: "french alpine landscapes" },
    { options: { ...SEARCH.options, page: 2 } },
    { options: { ...SEARCH.options, country: "de" } },
    { options: { ...SEARCH.options, locale: "de" } },
    { options: { ...SEARCH.options, safe: false } },
    { options: { ...SEARCH.options, num: 11 } },
    { options: { ...SEARCH.options, engine: "bing" } },
    { steps: ["serper", "serpapi"] },
    { steps: ["serpapi", "serpapi#2", "serper"] },
  ])("changes with %o", async (change) => {
    expect(await cacheKey({ ...SEARCH, ...change })).not.toBe(await cacheKey(SEARCH));
  });
});

describe("one spelling of a query", () => {
  it.each([
    ["  Cat \n Dog ", "cat dog"],
    ["ｃａｔ　ｄｏｇ", "cat dog"],
    ["cat OR dog", "cat OR dog"],
    ["cat or dog", "cat or dog"],
    ["HÀ NỘI", "hà nội"],
    ["HA\u0300 NO\u0302\u0323I", "hà nội"],
    ["猫", "猫"],
  ])("%j is %j", (query, wanted) => {
    expect(normalizedQuery(query)).toBe(wanted);
  });

  it("stays as it is when it is asked for twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (query) => {
        const once = normalizedQuery(query);
        expect(normalizedQuery(once)).toBe(once);
      }),
    );
  });
});
