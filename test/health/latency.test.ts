import { expect, it } from "vitest";
import { latencyOf, withoutKeyNumber, withSamples } from "../../src/health/latency.ts";

it("has a p50 and a p95 by nearest rank", () => {
  const ring = Array.from({ length: 40 }, (_, index) => (index + 1) * 10);
  expect(latencyOf(ring.toReversed())).toEqual({ p50: 200, p95: 380, samples: 40 });
  expect(latencyOf([7])).toEqual({ p50: 7, p95: 7, samples: 1 });
  expect(latencyOf([])).toBeUndefined();
});

it("remembers the last hundred answers only", () => {
  const slow = withSamples([], Array<number>(100).fill(5_000));
  const mixed = withSamples(slow, Array<number>(90).fill(100.4));
  expect(latencyOf(mixed)).toEqual({ p50: 100, p95: 5_000, samples: 100 });
  expect(latencyOf(withSamples(mixed, Array<number>(10).fill(100)))).toEqual({ p50: 100, p95: 100, samples: 100 });
});

it("is the provider's or engine's, whichever key was used", () => {
  expect(["serpapi", "google-cse#2", "serpapi#12:bing"].map(withoutKeyNumber)).toEqual([
    "serpapi",
    "google-cse",
    "serpapi:bing",
  ]);
});
