import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/images/candidate.ts";
import { classifyLicense } from "../../src/images/license.ts";
import { dedupe, eligible } from "../../src/images/pool.ts";
import { type Ranking, rankCandidates, scoreCandidate, scoreForReview } from "../../src/images/ranking.ts";
import type { ImageRequest } from "../../src/images/request.ts";
import { type RankingVector, VECTORS } from "./ranking-vectors.ts";
import { BY_SA, candidate, CC0, request } from "./samples.ts";

function requestOf({ request: given }: RankingVector): ImageRequest {
  return request({
    query: given.query,
    queryVariants: given.query_variants,
    orientation: given.orientation,
    minWidth: given.min_width,
    minHeight: given.min_height,
    requiredTerms: given.required_terms,
  });
}

function candidatesOf(given: RankingVector): Candidate[] {
  return Object.entries(given.returned_by_query).flatMap(([discoveryQuery, found]) =>
    found.map((id) => {
      const image = given.candidates.find((each) => each.id === id)!;
      const verdict = classifyLicense({ name: image.license_name, url: image.license_url }, image.provider);
      if (verdict.kind === "rejected") throw new Error(`${id}: ${verdict.reason}`);
      return {
        provider: image.provider,
        assetId: id,
        title: image.title,
        author: image.author,
        sourcePageUrl: image.source_page_url,
        downloadUrl: image.download_url,
        previewUrl: image.preview_url,
        width: image.width,
        height: image.height,
        license: verdict.license,
        discoveryQuery,
      };
    }),
  );
}

function order(ranking: Pick<Ranking, "ranked">): string[] {
  return dedupe(ranking.ranked).map((ranked) => ranked.candidate.assetId);
}

function vector(name: string): RankingVector {
  return VECTORS.ranking.find((each) => each.name.startsWith(name))!;
}

function orderOf(name: string, mode: "strict" | "review" = "strict"): string[] {
  return order(rankCandidates(candidatesOf(vector(name)), requestOf(vector(name)), mode));
}

function ties({ ranked }: Ranking): Partial<Record<string, Ranking["ranked"]>> {
  return Object.groupBy(ranked, ({ score }) => String(score));
}

const matching = VECTORS.ranking.filter(({ policy }) => policy === "match");
const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

describe("the ranking vectors that are to be matched", () => {
  it("are all there", () => expect(matching.length).toBeGreaterThanOrEqual(15));

  it.each(matching.map((each) => [each.name, each] as const))("%s", (_, each) => {
    const strict = rankCandidates(candidatesOf(each), requestOf(each), "strict");
    const review = rankCandidates(candidatesOf(each), requestOf(each), "review");
    expect(order(strict)).toEqual(ids(each.expected.best_only_order));
    expect(order(review)).toEqual(ids(each.expected.review_order));
    const notShown = each.expected.per_candidate.filter((one) => one.review_score === null);
    expect(review.rejected.map((one) => one.candidate.assetId).toSorted()).toEqual(ids(notShown).toSorted());
    for (const { candidate: ranked, identityEvidence, missingRequiredTerms } of review.ranked) {
      const expected = each.expected.per_candidate.find(({ id }) => id === ranked.assetId)!;
      expect([identityEvidence, missingRequiredTerms]).toEqual([
        expected.identity_evidence,
        expected.missing_required_terms,
      ]);
    }
  });

  // Words of scripts without spaces used to count for nothing, so these scores differ in this one case.
  const comparable = matching.filter(({ name }) => name !== "09_cjk_required_terms");

  it.each(comparable.map((each) => [each.name, each] as const))("%s: to the point", (_, each) => {
    for (const one of candidatesOf(each)) {
      const expected = each.expected.per_candidate.find(({ id }) => id === one.assetId)!;
      const scores = [scoreCandidate(one, requestOf(each)).value, scoreForReview(one, requestOf(each)).value];
      for (const [index, wanted] of [expected.score, expected.review_score].entries()) {
        if (wanted === null) expect(scores[index]).toBeNull();
        else expect(scores[index]).toBeCloseTo(wanted, 3);
      }
    }
  });

  it("leaves only what has a preview and the size on the review page", () => {
    const each = vector("12_");
    const { ranked } = rankCandidates(candidatesOf(each), requestOf(each), "review");
    const shown = eligible(ranked, requestOf(each), "review").map((one) => one.candidate.assetId);
    expect(shown).toEqual(ids(each.expected.review_page_eligible_order));
  });
});

describe("the ranking vectors that are to be improved on", () => {
  it("takes Rome at word boundaries only", () => {
    const { rejected } = rankCandidates(candidatesOf(vector("06_")), requestOf(vector("06_")), "strict");
    expect(rejected.map((one) => [one.candidate.assetId, one.reason])).toEqual([["substring", "identity-missing"]]);
    expect(orderOf("06_").slice(0, 2)).toEqual(["hyphen", "exact"]);
  });

  it("reads Chinese titles by pairs of characters", () => expect(orderOf("08_", "review")).toEqual(["cjk-title"]));

  it("takes transit words whole", () => {
    expect(orderOf("10_infra_penalty")).toEqual(["trail", "business", "clean", "stationery", "station"]);
  });

  it("lets business in the query excuse no airport", () => expect(orderOf("10b_")).toEqual(["a", "c", "b"]));

  it("counts brands", () => expect(orderOf("19c_")[0]).toBe("both"));

  it("lets short words decide between equals and never reject", () => {
    expect(orderOf("20_short")).toEqual(["tower", "uk"]);
    const both = candidate({ title: "UK 5G tower", discoveryQuery: "UK 5G tower" });
    const long = candidate({ title: "Radio tower", discoveryQuery: "UK 5G tower" });
    const { ranked } = rankCandidates([long, both], request(), "strict");
    expect(ranked.map((one) => one.candidate.title)).toEqual(["UK 5G tower", "Radio tower"]);
  });

  it("scores a query of short words on them", () => expect(orderOf("20b_")).toEqual([]));

  it("reads U.S. with its points", () => {
    const [us, cap] = rankCandidates(candidatesOf(vector("21_")), requestOf(vector("21_")), "strict").ranked;
    expect([us?.candidate.assetId, cap?.candidate.assetId]).toEqual(["us", "cap"]);
    expect(us!.score).toBeGreaterThan(cap!.score);
  });

  it("folds accents", () => {
    expect(orderOf("22_")[0]).toBe("sp");
    const plain = candidate({ title: "Sao Paulo skyline", discoveryQuery: "São Paulo skyline" });
    expect(scoreCandidate(plain, request()).value).toBeGreaterThan(11_000);
  });
});

describe("what else decides a place", () => {
  it("asks for an author only where the license does", () => {
    const verdicts = [BY_SA, CC0].map((license) => scoreCandidate(candidate({ license, author: " " }), request()));
    expect(verdicts.map(({ reason }) => reason)).toEqual(["author-missing", undefined]);
  });

  it("keeps strictness whatever a provider returns", () => {
    const strict = request({ strictNoAttribution: true });
    expect(scoreCandidate(candidate({ license: BY_SA }), strict).reason).toBe("attribution-not-allowed");
  });

  it("ranks by what can be fetched, not by what is claimed", () => {
    const small = candidate({ assetId: "pixabay", width: 6000, height: 4000, fetchable: { width: 1280, height: 853 } });
    const real = candidate({ assetId: "real", width: 1500, height: 1000 });
    const { ranked } = rankCandidates([small, real], request(), "strict");
    expect(ranked.map((one) => one.candidate.assetId)).toEqual(["real", "pixabay"]);
  });

  it("reads titles in percent-encoded URLs of wikis", () => {
    const sourcePageUrl = `https://commons.wikimedia.org/wiki/File:${encodeURIComponent("解放碑")}.jpg`;
    const found = candidate({ title: "IMG 0001", sourcePageUrl, discoveryQuery: "解放碑" });
    expect(scoreCandidate(found, request({ requiredTerms: ["Jiefangbei|解放碑"] })).value).toBeGreaterThan(10_000);
  });
});

const words = fc.constantFrom("offshore", "wind", "farm", "UK", "station", "重庆", "São", "harbor");
const title = fc.array(words, { maxLength: 5 }).map((list) => list.join(" "));
const anyCandidate = fc.record({
  title,
  author: fc.constantFrom("", "Jane Doe"),
  width: fc.nat(4000),
  height: fc.nat(4000),
  license: fc.constantFrom(CC0, BY_SA),
});
const anyCandidates = fc
  .array(anyCandidate, { maxLength: 20 })
  .map((list) => list.map((each, index) => candidate({ ...each, assetId: String(index) })));
const anyRequest = fc
  .record({
    orientation: fc.constantFrom("any" as const, "landscape" as const, "square" as const),
    requiredTerms: fc.constantFrom([], ["wind"], ["wind", "重庆|Chongqing"]),
    strictNoAttribution: fc.boolean(),
  })
  .map(request);
const anyMode = fc.constantFrom("strict" as const, "review" as const);

describe("any ranking", () => {
  it("depends on the order of what came in for ties only", () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, anyMode, (candidates, wanted, mode) => {
        const there = rankCandidates(candidates, wanted, mode);
        const back = rankCandidates(candidates.toReversed(), wanted, mode);
        expect(back.ranked.map(({ score }) => score)).toEqual(there.ranked.map(({ score }) => score));
        for (const [score, group] of Object.entries(ties(there))) {
          const names = group!.map((one) => one.candidate.assetId);
          expect(ties(back)[score]!.map((one) => one.candidate.assetId)).toEqual(names.toReversed());
        }
      }),
    );
  });

  it("rejects each candidate for itself, whoever stands beside it", () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, anyMode, (candidates, wanted, mode) => {
        const together = rankCandidates(candidates, wanted, mode).rejected.map((one) => one.candidate.assetId);
        const alone = candidates.filter((each) => rankCandidates([each], wanted, mode).rejected.length === 1);
        expect(together).toEqual(alone.map(({ assetId }) => assetId));
      }),
    );
  });

  it("keeps everybody's order when a stranger comes in", () => {
    fc.assert(
      fc.property(anyCandidates, anyCandidate, fc.nat(20), anyRequest, (candidates, stranger, at, wanted) => {
        const before = order(rankCandidates(candidates, wanted, "review"));
        const crowd = candidates.toSpliced(at, 0, candidate({ ...stranger, assetId: "stranger" }));
        const after = order(rankCandidates(crowd, wanted, "review"));
        expect(after.filter((id) => id !== "stranger")).toEqual(before);
      }),
    );
  });

  it("places every near match behind every verified picture", () => {
    fc.assert(
      fc.property(anyCandidates, anyRequest, (candidates, wanted) => {
        const { ranked } = rankCandidates(candidates, wanted, "review");
        const evidence = ranked.map(({ identityEvidence }) => identityEvidence);
        expect(evidence).toEqual(evidence.toSorted());
      }),
    );
  });

  it("takes ten thousand candidates in its stride", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => candidate({ assetId: String(index), width: index }));
    const { ranked } = rankCandidates(many, request({ requiredTerms: ["Offshore wind"] }), "review");
    expect(ranked).toHaveLength(10_000);
    expect(ranked[0]!.score).toBeGreaterThanOrEqual(ranked.at(-1)!.score);
  });
});
