import { describe, expect, it } from "vitest";
import { ALWAYS_WELL } from "../../src/cascade/health.ts";
import { readConfig } from "../../src/config.ts";
import type { JobContext } from "../../src/context.ts";
import { Door } from "../../src/egress/door.ts";
import type { ImageSink } from "../../src/images/commit.ts";
import { lookAtPreviews } from "../../src/images/previews.ts";
import { hasMoreCandidates, pageRange, type StoredPool } from "../../src/images/stored-pool.ts";
import { candidate, request } from "../images/samples.ts";

function pool(size: number, more: Partial<StoredPool> = {}): StoredPool {
  const ranked = Array.from({ length: size }, (_, index) => ({
    candidate: candidate({ assetId: String(index) }),
    score: size - index,
    identityEvidence: "metadata-verified" as const,
    missingRequiredTerms: [],
  }));
  return {
    filename: "hero.jpg",
    stem: "hero",
    fingerprint: "",
    generation: 1,
    request: request(),
    searchedAt: 0,
    complete: true,
    ranked,
    shown: [],
    unavailable: [],
    page: 1,
    pageSize: 8,
    savedPages: [],
    ...more,
  };
}

describe("pages of a pool", () => {
  it("begin where the one before ends", () => {
    expect(pageRange(2, 8)).toEqual({ first: 9, end: 16 });
  });

  it("hold 64 when the whole pool is asked for, so that the rest of a larger one can be had", () => {
    expect([pageRange(1, 0), pageRange(2, 0)]).toEqual([
      { first: 1, end: 64 },
      { first: 65, end: 128 },
    ]);
    expect(hasMoreCandidates(pool(80, { pageSize: 0 }))).toBe(true);
    expect(hasMoreCandidates(pool(80, { pageSize: 0, page: 2 }))).toBe(false);
  });
});

describe("a look at previews", () => {
  it("calls none unavailable because the request's own time was over", async () => {
    const clock = { now: () => 0 };
    const settings = { proxy: "http://127.0.0.1:9", allowHttp: false, userAgent: "test" };
    const context: JobContext = {
      config: readConfig({}),
      door: new Door(settings, clock),
      clock,
      deadline: { signal: AbortSignal.abort(), remainingMs: () => 0 },
      health: ALWAYS_WELL,
    };
    const report = await lookAtPreviews(pool(3), 3, {} as ImageSink, context);
    expect(report).toEqual({ generation: 1, from: 0, shown: [], unavailable: [] });
  });
});
