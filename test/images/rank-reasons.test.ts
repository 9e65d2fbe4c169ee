import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/images/candidate.ts";
import { rankReasons } from "../../src/images/rank-reasons.ts";
import { rankCandidates } from "../../src/images/ranking.ts";
import { BY_SA, candidate, CC0, request } from "./samples.ts";

const reasons = (more: Partial<Candidate>, wanted: Parameters<typeof request>[0] = {}) =>
  rankReasons(candidate(more), request(wanted));

describe("why a candidate stands where it does", () => {
  it("is told in a few words, the weightiest first", () => {
    expect(
      reasons({ title: "Offshore wind farm in Texas" }, { requiredTerms: ["Texas"], orientation: "landscape" }),
    ).toEqual([
      "Title names Texas",
      "Matches all 3 words of the query",
      "Landscape, as asked",
      "Large enough: 3000 × 2000",
      "No credit needed (CC0)",
    ]);
  });

  it("names what a near match does not show, with all its names", () => {
    const [first] = reasons({}, { requiredTerms: ["Jiefangbei | 解放碑"] });
    expect(first).toBe("Near match: nothing says that it shows Jiefangbei or 解放碑");
  });

  it("tells a name in the title from one in the address only", () => {
    const sourcePageUrl = "https://example.org/Chongqing_Jiefangbei";
    const told = reasons(
      { title: "Chongqing at night", sourcePageUrl },
      { requiredTerms: ["Chongqing", "Jiefangbei"] },
    );
    expect(told.slice(0, 2)).toEqual(["Title names Chongqing", "Only its author or address names Jiefangbei"]);
  });

  it("says which words of the query it has", () => {
    expect(reasons({ title: "A farm" })).toContain("Matches 1 of 3 words of the query: “farm”");
    expect(reasons({ title: "A cow", sourcePageUrl: "" })).toContain("Matches no word of the query");
    const chinese = { title: "重庆夜景", discoveryQuery: "重庆解放碑夜景" };
    expect(reasons(chinese)).toContain("Matches the query in part: “重庆解放碑夜景”");
  });

  it("says what is wrong with its shape and size", () => {
    expect(reasons({ width: 800, height: 1_300 }, { orientation: "landscape" })).toEqual(
      expect.arrayContaining(["Portrait, not landscape as asked", "Smaller than asked on one side: 800 × 1300"]),
    );
    expect(reasons({ width: 0, height: 0 })).toContain("Its size is not known");
    expect(reasons({ width: 6_000, height: 4_000, fetchable: { width: 1_280, height: 853 } })).toContain(
      "Large enough: 1280 × 853 of its 6000 × 4000 can be had",
    );
  });

  it("says what the license asks for, and when it is about traffic only", () => {
    expect(reasons({ license: BY_SA }).at(-1)).toBe("Needs a visible credit (CC BY-SA 4.0)");
    expect(reasons({ title: "Wind farm railway station" })).toContain(
      "Seems to be about a station or traffic, which the query does not ask for",
    );
  });

  it("says of two candidates with another score, but for their pixels, something else", () => {
    const title = fc.constantFrom("Offshore wind farm", "Wind farm", "Texas wind farm", "Wind farm station", "Cow");
    const license = fc.constantFrom(CC0, BY_SA);
    const size = fc.constantFrom(
      { width: 2_000, height: 1_500 },
      { width: 1_500, height: 2_000 },
      { width: 1_000, height: 750 },
    );
    const one = fc
      .tuple(title, license, size)
      .map(([name, given, sides]) =>
        candidate({ title: name, license: given, ...sides, sourcePageUrl: "https://example.org/1" }),
      );
    const wanted = request({ requiredTerms: ["Texas"], orientation: "landscape" });
    fc.assert(
      fc.property(one, one, (a, b) => {
        const { ranked } = rankCandidates([a, b], wanted, "review");
        fc.pre(ranked.length === 2 && ranked[0]!.score !== ranked[1]!.score);
        expect(rankReasons(a, wanted)).not.toEqual(rankReasons(b, wanted));
      }),
    );
  });
});
