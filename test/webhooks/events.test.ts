import { describe, expect, it } from "vitest";
import { eventBody } from "../../src/webhooks/events.ts";

const NOW = Date.UTC(2026, 10, 3, 8, 30);

describe("the body of an event", () => {
  it("has type, ISO timestamp and data, and nothing else", () => {
    const data = { batch: "b1", project: "deck", counts: counts({ Sourced: 2 }) };
    expect(JSON.parse(eventBody({ type: "batch.completed", data }, NOW))).toEqual({
      type: "batch.completed",
      timestamp: "2026-11-03T08:30:00.000Z",
      data,
    });
  });

  it("stays under the 20 kB that receivers expect, with a full page of candidates in the longest words", () => {
    const candidate = {
      filename: "candidate_01.jpg",
      provider: "wikimedia",
      title: "鏡".repeat(200),
      source_page_url: `https://commons.wikimedia.org/wiki/File:${"%E9".repeat(150)}.jpg`,
      license_name: "CC BY-SA 4.0",
      license_tier: "attribution-required",
      width: 4000,
      height: 3000,
      missing_required_terms: ["Jiefangbei|解放碑|Liberation Monument"],
    };
    const body = eventBody(
      {
        type: "batch.needs_selection",
        data: {
          batch: "b1",
          project: "deck",
          filename: "monument.jpg",
          candidates: Array.from({ length: 8 }, (_, index) => ({ ...candidate, rank: index + 1 })),
          review_sheet_url: `https://sluice.test/s/${"x".repeat(300)}/review_sheet.jpg`,
          review_url: `https://sluice.test/review/${"x".repeat(500)}`,
          candidate_page: 1,
          candidate_total: 64,
          next_candidate_page: 2,
        },
      },
      NOW,
    );
    expect(new TextEncoder().encode(body).byteLength).toBeLessThan(20_000);
  });
});

function counts(some: Partial<Record<string, number>>) {
  return { Pending: 0, Sourced: 0, Failed: 0, "Needs-Selection": 0, "Needs-Manual": 0, ...some };
}
