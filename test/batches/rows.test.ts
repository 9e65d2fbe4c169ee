import { describe, expect, it } from "vitest";
import {
  MAX_ERROR_LENGTH,
  retryDelayMs,
  type RowItem,
  type RowReport,
  withChoice,
  withDrift,
  withReport,
} from "../../src/batches/rows.ts";

const PENDING: RowItem = { filename: "a.jpg", query: "x", status: "Pending", provider: "pexels", mine: { deep: [1] } };

const SOURCED: RowReport = { status: "Sourced", sourcedFrom: "wikimedia", licenseTier: "no-attribution", attempts: [] };

const SELECTION: RowReport = {
  status: "Needs-Selection",
  candidatePage: 2,
  candidateCount: 3,
  candidateTotal: 11,
  nextCandidatePage: null,
  reviewSheet: "candidates/a/review_sheet.jpg",
  sheetSha256: "0",
  candidates: [],
  attempts: [],
};

const ended = (status: "Failed" | "Needs-Manual", error: string): RowReport => ({
  status,
  error,
  transient: false,
  attempts: [],
});
const PAST_END: RowReport = { status: "unchanged", error: "page 9 is past the end", attempts: [] };
const SHORTLIST = withReport(PENDING, SELECTION);

describe("a row", () => {
  it("is sourced with who gave the image, and keeps its own pin and its author's fields", () => {
    expect(withReport({ ...PENDING, last_error: "old" }, SOURCED)).toEqual({
      ...PENDING,
      status: "Sourced",
      sourced_from: "wikimedia",
      license_tier: "no-attribution",
    });
  });

  it("needs a selection with the shortlist's fields, and keeps its pin", () => {
    expect(withReport({ ...PENDING, last_error: "old", license_tier: "manual" }, SELECTION)).toEqual({
      ...PENDING,
      status: "Needs-Selection",
      candidate_page: 2,
      candidate_count: 3,
      candidate_total: 11,
      has_more_candidates: false,
      next_candidate_page: null,
      review_sheet: "candidates/a/review_sheet.jpg",
    });
    const more = withReport(PENDING, { ...SELECTION, nextCandidatePage: 3 });
    expect(more).toMatchObject({ has_more_candidates: true, next_candidate_page: 3 });
  });

  it.each(["Failed", "Needs-Manual"] as const)("is %s with its reason, and forgets what it had", (status) => {
    const before = { ...PENDING, sourced_from: "pexels", license_tier: "no-attribution", last_error: "old" };
    expect(withReport(before, ended(status, "why"))).toEqual({ ...PENDING, status, last_error: "why" });
  });

  it("keeps a reason to 500 characters", () => {
    const { last_error: reason } = withReport(PENDING, ended("Failed", "x".repeat(900)));
    expect(reason).toHaveLength(MAX_ERROR_LENGTH);
  });

  it("keeps its shortlist when a page past the end is asked for", () => {
    expect(withReport({ ...SHORTLIST, status: "Pending" }, PAST_END)).toEqual({
      ...SHORTLIST,
      last_error: "page 9 is past the end",
    });
  });

  it("needs a person when a page past the end is asked for and no page was ever shown", () => {
    expect(withReport(PENDING, PAST_END).status).toBe("Needs-Manual");
  });

  it("keeps its shortlist when the search for the next page fails", () => {
    const after = withReport({ ...SHORTLIST, status: "Pending" }, ended("Failed", "previews failed"));
    expect(after).toEqual({ ...SHORTLIST, status: "Failed", last_error: "previews failed" });
  });

  it("is sourced by a person's choice whatever it was, and keeps its page", () => {
    expect(withChoice({ ...SHORTLIST, last_error: "old" }, "manual", "manual")).toEqual({
      ...PENDING,
      status: "Sourced",
      candidate_page: 2,
      sourced_from: "manual",
      license_tier: "manual",
    });
  });

  it("is failed, to be searched again, once its image is gone", () => {
    expect(withDrift(withReport(PENDING, SOURCED), "gone")).toEqual({
      ...PENDING,
      status: "Failed",
      last_error: "gone",
    });
  });

  it("is tried three times in a run, later each time", () => {
    expect([retryDelayMs(1, 0.5), retryDelayMs(2, 0.5), retryDelayMs(3, 0.5)]).toEqual([2_000, 6_000, undefined]);
    expect(retryDelayMs(1, 0)).toBeLessThan(retryDelayMs(1, 0.99)!);
  });
});
