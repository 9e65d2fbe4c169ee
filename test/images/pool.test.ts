import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/images/candidate.ts";
import { dedupe, eligible, poolFingerprint, whatToTry } from "../../src/images/pool.ts";
import type { RankedCandidate } from "../../src/images/ranking.ts";
import type { ImageRequest } from "../../src/images/request.ts";
import { meetsFloors } from "../../src/images/size-floors.ts";
import { candidate, request } from "./samples.ts";

function ranked(more: Partial<Candidate>): RankedCandidate {
  return { candidate: candidate(more), score: 0, identityEvidence: "metadata-verified", missingRequiredTerms: [] };
}

function fits(size: Partial<Candidate>, wanted: Partial<ImageRequest> = {}): boolean {
  return eligible([ranked(size)], request(wanted)).length === 1;
}

describe("duplicates", () => {
  it("merge across providers and variants, the best-placed staying", () => {
    const downloadUrl = "https://upload.wikimedia.org/a/ab/Jiefangbei_%28night%29.jpg";
    const pool = [
      ranked({ assetId: "openverse", provider: "openverse", downloadUrl: `${downloadUrl}?width=1200` }),
      ranked({ assetId: "commons", downloadUrl: "http://upload.wikimedia.org/a/ab/jiefangbei_(night).jpg/" }),
      ranked({ assetId: "other" }),
    ];
    expect(dedupe(pool).map((one) => one.candidate.assetId)).toEqual(["openverse", "other"]);
  });

  it("are told apart by asset where there is no address", () => {
    const pool = ["1", "2", "1"].map((assetId) => ranked({ assetId, downloadUrl: "" }));
    expect(dedupe(pool)).toHaveLength(2);
  });
});

describe("size floors", () => {
  it.each([
    ["landscape", 1200, 800, true],
    ["landscape", 800, 1200, false],
    ["portrait", 800, 1200, true],
    ["portrait", 1200, 800, false],
    ["square", 1000, 1000, true],
    ["square", 999, 1000, false],
    ["any", 1200, 800, true],
    ["any", 800, 1200, true],
    ["any", 1000, 1000, false],
  ] as const)("for %s: %i×%i", (orientation, width, height, expected) => {
    expect(fits({ width, height }, { orientation })).toBe(expected);
  });

  it("stand as the request gives them", () => {
    const given = { minWidth: 900, minHeight: 600 };
    expect(fits({ width: 900, height: 600 }, given)).toBe(true);
    expect(fits({ width: 600, height: 900 }, given)).toBe(false);
  });

  it("never go under 480,000 pixels in a search", () => {
    expect(fits({ width: 800, height: 600 }, { minWidth: 1, minHeight: 1 })).toBe(true);
    expect(fits({ width: 799, height: 600 }, { minWidth: 1, minHeight: 1 })).toBe(false);
    expect(meetsFloors({ width: 400, height: 300 }, request({ minWidth: 1, minHeight: 1 }), 0)).toBe(true);
  });

  it("give unknown sizes a chance", () => expect(fits({ width: 0, height: 0 })).toBe(true));

  it("judge Pixabay by what it hands out", () => {
    const claimed = { width: 4836, height: 2915 };
    expect(fits({ ...claimed, fetchable: { width: 1280, height: 772 } })).toBe(false);
    expect(fits({ ...claimed, fetchable: { width: 1280, height: 853 } })).toBe(true);
  });

  it("are not the only thing a review needs", () => {
    const blind = [ranked({ previewUrl: "" })];
    expect([eligible(blind, request(), "strict").length, eligible(blind, request(), "review").length]).toEqual([1, 0]);
  });
});

describe("a pool's fingerprint", () => {
  const same = poolFingerprint(request());

  it.each([
    { query: "wind farm" },
    { queryVariants: ["Windpark"] },
    { requiredTerms: ["Jutland"] },
    { minWidth: 1600 },
    { minHeight: 900 },
    { orientation: "landscape" },
    { provider: "pexels" },
    { strictNoAttribution: true },
  ] as const)("changes with %j", (change) => expect(poolFingerprint(request(change))).not.toBe(same));

  it.each([{ slide: "03" }, { purpose: "hero" }])("does not change with %j", (change) =>
    expect(poolFingerprint(request(change))).toBe(same),
  );
});

describe("what to try after nothing was found", () => {
  it("names what the request itself rules out", () => {
    const narrow = whatToTry(request({ provider: "pexels", strictNoAttribution: true })).join(" ");
    expect(narrow).toMatch(/more precise.*Ask another provider.*strict_no_attribution/);
    expect(whatToTry(request()).join(" ")).not.toMatch(/strict_no_attribution|another provider/);
  });
});
