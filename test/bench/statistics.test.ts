import { describe, expect, it } from "vitest";
import { median, percentile } from "../../bench/statistics.ts";

describe("the figures of the benches", () => {
  it("are percentiles by nearest rank, whatever the order of the samples", () => {
    const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(samples, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it("are medians", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 10])).toBe(3.5);
  });
});
