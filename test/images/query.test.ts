import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanQuery, queryWarnings } from "../../src/images/query-cleaning.ts";
import { queryLadder, queryPlan, relevanceTokens } from "../../src/images/query-ladder.ts";
import { parseQueryVariants, parseRequiredTerms } from "../../src/images/request-fields.ts";
import { cosmeticKey } from "../../src/images/text.ts";
import { VECTORS } from "./ranking-vectors.ts";

const LONG = "A professional high quality photo of an offshore wind farm at dusk, aerial view (wide) #1E3A5F";

/** Where the original loses Chinese words, brands and short names, repeats itself, or sends what no search understands. */
const BETTER: Readonly<Record<string, readonly string[]>> = {
  [LONG]: [
    "photo of an offshore wind farm at dusk, aerial view (wide)",
    "offshore wind farm dusk",
    "offshore wind farm",
    "offshore wind",
    "offshore",
  ],
  "福州 土楼 night": ["福州 土楼 night", "福州 土楼", "福州"],
  "磁器口古镇 夜景 Chongqing": ["磁器口古镇 夜景 Chongqing", "磁器口古镇 夜景", "磁器口古镇"],
  "Apple Google": ["Apple Google", "Apple"],
  "Tesla Model 3 car": ["Tesla Model 3 car", "Tesla Model 3", "Tesla Model", "Tesla"],
  "dall-e robot": ["dall-e robot", "dall-e"],
  "U.S. Capitol": ["U.S. Capitol", "U.S"],
};

describe("the searches of a row", () => {
  it("are every explicit query first, then the shortened ones of each", () => {
    expect(queryPlan(["Jiefangbei monument night", "解放碑 夜景"]).map(({ words }) => words)).toEqual([
      "Jiefangbei monument night",
      "解放碑 夜景",
      "Jiefangbei monument",
      "Jiefangbei",
      "解放碑",
    ]);
  });

  it("never ask the same twice, and count what is asked for the query that said it first", () => {
    const plan = queryPlan(["offshore wind farm", "Offshore", "wind farm, offshore coast"]);
    expect(plan.filter(({ words }) => cosmeticKey(words) === "offshore")).toEqual([
      { discoveryQuery: "Offshore", words: "Offshore" },
    ]);
  });
});

describe("the query ladder", () => {
  it.each(VECTORS.query.map((each) => [each.query, each.progression] as const))("of %s", (query, progression) => {
    expect(queryLadder(query)).toEqual(BETTER[query] ?? progression);
  });

  it("keeps one-character words of scripts without spaces", () => {
    expect(queryLadder("桥 夜景")).toEqual(["桥 夜景", "桥"]);
  });

  it("begins with the cleaned query, and no rung repeats another", () => {
    const word = fc.constantFrom(
      "wind",
      "Farm",
      "photo",
      "no",
      "#1E3A5F",
      "high quality",
      "重庆",
      "UK",
      "(wide)",
      "U.S.",
      "us",
      ",",
      "a",
      "the",
    );
    const query = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(" ")),
      fc.string({ unit: "grapheme" }),
    );
    fc.assert(
      fc.property(query, (given) => {
        const ladder = queryLadder(given);
        expect(ladder[0] ?? "").toBe(cleanQuery(given).text);
        expect(new Set(ladder.map(cosmeticKey)).size).toBe(ladder.length);
        expect(ladder.length).toBeLessThanOrEqual(5);
        expect(ladder.length > 0).toBe(given.trim() !== "");
      }),
    );
  });
});

describe("relevance tokens", () => {
  it.each([
    ["offshore wind farm", ["offshore", "wind", "farm"]],
    [LONG, ["offshore", "wind", "farm", "dusk", "aerial", "view"]],
    ["modern light", ["modern", "light"]],
    ["Tesla Model 3 car", ["tesla", "model", "3", "car"]],
    ["U.S. Capitol", ["us", "capitol"]],
    ["São Paulo skyline", ["sao", "paulo", "skyline"]],
    ["team working in the US", ["team", "working", "us"]],
    ["X-ray of a hand", ["ray", "hand"]],
    ["重庆night", ["重庆", "night"]],
  ])("of %s", (query, tokens) => expect(relevanceTokens(query).map(({ text }) => text)).toEqual(tokens));

  it("compares runs of Chinese by overlapping pairs", () => {
    expect(relevanceTokens("解放碑 桥").map(({ parts }) => parts)).toEqual([["解放", "放碑"], ["桥"]]);
  });
});

describe("words that no search understands", () => {
  it.each([
    ["Eiffel Tower not tourist snapshot", "Eiffel Tower", ["not tourist snapshot"]],
    ["Eiffel Tower, no amateur photo, dusk", "Eiffel Tower, dusk", ["no amateur photo"]],
    ["avoid low quality wind farm", "wind farm", ["avoid low quality wind farm"]],
    ["no people beach at sunset", "beach at sunset", ["no people beach at sunset"]],
    ["office interior No People", "office interior", ["No People"]],
    ["office -people", "office", ["-people"]],
    ["故宫 不要游客 雪", "故宫 雪", ["不要游客"]],
  ])("leaves the negation out of %s", (query, sent, words) => {
    expect(queryLadder(query)[0]).toBe(sent);
    expect(queryWarnings(query).find(({ code }) => code === "negative-wording")?.words).toEqual(words);
  });

  it.each([
    "No Time to Die poster",
    "Doctors Without Borders clinic",
    "Chanel No 5",
    "No. 10 Downing Street",
    "A Beautiful Mind",
    "HD 189733",
  ])("takes %s for a name", (query) => {
    expect(queryLadder(query)[0]).toBe(query);
    expect(queryWarnings(query)).toEqual([]);
  });

  it("names colors and quality words, and sends neither", () => {
    const warnings = queryWarnings(LONG);
    expect(warnings.map(({ code, words }) => [code, words])).toEqual([
      ["hex-color", ["#1E3A5F"]],
      ["quality-words", ["professional", "high quality"]],
    ]);
    expect(warnings[1]!.detail).toContain('"high quality"');
    expect(queryLadder(LONG).join(" ")).not.toMatch(/1E3A5F|quality|professional/i);
  });

  it.each(["water quality", "Museum of Modern Art", "professional chef", "C# code", "stock exchange", "High Line"])(
    "finds nothing wrong with %s",
    (query) => {
      expect(queryWarnings(query)).toEqual([]);
      expect(queryLadder(query)[0]).toBe(query);
    },
  );

  it("sends something for a query of nothing else", () => {
    expect(queryLadder("#1E3A5F")).toEqual(["#1E3A5F"]);
    expect(queryLadder("no people")).toEqual(["people"]);
    expect(queryWarnings("high quality")[0]!.detail).toContain("nothing else is there");
  });
});

describe("query_variants", () => {
  it.each(VECTORS.query_variants.map((each) => [JSON.stringify(each.raw), each] as const))("%s", (_, each) => {
    const parsed = parseQueryVariants(each.raw);
    if (parsed.ok) expect(parsed.value).toEqual(each.parsed);
    else expect(parsed.reason).toBe(each.error);
  });

  it("drops what says the same as the query or another variant", () => {
    const parsed = parseQueryVariants(["wind farm, offshore", "Windpark", "windpark!"], "Offshore wind farm");
    expect(parsed).toMatchObject({ value: ["Windpark"] });
  });
});

describe("required_terms", () => {
  it.each(VECTORS.required_terms.map((each) => [JSON.stringify(each.raw), each] as const))("%s", (_, each) => {
    const parsed = parseRequiredTerms(each.raw);
    if (parsed.ok) expect(parsed.value).toEqual(each.parsed);
    else expect(parsed.reason).toBe(each.error);
  });

  it.each(VECTORS.meta.weak_required_term_parts)("takes %s with a warning", (term) => {
    const parsed = parseRequiredTerms([`Chongqing|${term.toUpperCase()}`]);
    expect(parsed).toMatchObject({
      value: [`Chongqing|${term.toUpperCase()}`],
      warnings: [{ code: "generic-required-term", words: [term.toUpperCase()] }],
    });
  });

  it("has nothing against names", () => {
    expect(parseRequiredTerms(["Chongqing|重庆", "Golden Gate Bridge"])).toMatchObject({ warnings: [] });
  });
});
