import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type RateLimit, standing } from "../../src/limits/gcra.ts";

const NOW = Date.UTC(2026, 5, 1);

const limits: fc.Arbitrary<RateLimit> = fc.record({
  burst: fc.integer({ min: 1, max: 200 }),
  intervalMs: fc.integer({ min: 1, max: 6_000 }).map((perMinute) => 60_000 / perMinute),
});
const asks = fc.array(fc.record({ afterMs: fc.nat({ max: 5_000 }), wanted: fc.integer({ min: 1, max: 20 }) }), {
  minLength: 1,
  maxLength: 60,
});

interface Grant {
  readonly at: number;
  readonly granted: number;
}

function run(limit: RateLimit, requests: readonly { afterMs: number; wanted: number }[]): Grant[] {
  let [arrival, at] = [0, NOW];
  return requests.map(({ afterMs, wanted }) => {
    at += afterMs;
    const decision = decide(limit, arrival, wanted, at);
    arrival = decision.arrival;
    return { at, granted: decision.granted };
  });
}

describe("the rate", () => {
  it("lets the burst through at once, then one an interval", () => {
    const limit = { burst: 3, intervalMs: 1_000 };
    const grants = run(
      limit,
      [0, 0, 0, 0, 999, 1, 0].map((afterMs) => ({ afterMs, wanted: 1 })),
    );
    expect(grants.map(({ granted }) => granted)).toEqual([1, 1, 1, 0, 0, 1, 0]);
  });

  it("never grants more than the burst and what grew back, in any window", () => {
    fc.assert(
      fc.property(limits, asks, (limit, requests) => {
        const grants = run(limit, requests);
        for (const [from, first] of grants.entries()) {
          let sum = 0;
          for (const { at, granted } of grants.slice(from)) {
            sum += granted;
            expect(sum).toBeLessThanOrEqual(limit.burst + (at - first.at) / limit.intervalMs + 1e-4);
          }
        }
      }),
    );
  });

  it("never grants more than was wanted, and never moves the arrival back", () => {
    fc.assert(
      fc.property(limits, asks, (limit, requests) => {
        let [arrival, at] = [0, NOW];
        for (const { afterMs, wanted } of requests) {
          at += afterMs;
          const decision = decide(limit, arrival, wanted, at);
          expect(decision.granted).toBeGreaterThanOrEqual(0);
          expect(decision.granted).toBeLessThanOrEqual(wanted);
          expect(decision.arrival).toBeGreaterThanOrEqual(arrival);
          arrival = decision.arrival;
        }
      }),
    );
  });

  it("grants as much later as it would now, or more", () => {
    fc.assert(
      fc.property(limits, fc.nat({ max: 300_000 }), fc.nat({ max: 60_000 }), (limit, debtMs, laterMs) => {
        const arrival = NOW + debtMs;
        const now = standing(limit, arrival, NOW).remaining;
        expect(standing(limit, arrival, NOW + laterMs).remaining).toBeGreaterThanOrEqual(now);
      }),
    );
  });

  it("grants a refused request once the time it named is over, and not a millisecond and a half before", () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const { arrival } = decide(limit, 0, limit.burst, NOW);
        expect(decide(limit, arrival, 1, NOW).granted).toBe(0);
        const { nextMs } = standing(limit, arrival, NOW);
        expect(decide(limit, arrival, 1, NOW + Math.ceil(nextMs)).granted).toBe(1);
        if (nextMs > 1.5) expect(decide(limit, arrival, 1, NOW + nextMs - 1.5).granted).toBe(0);
      }),
    );
  });

  it("has the whole burst again after a rest", () => {
    fc.assert(
      fc.property(limits, asks, (limit, requests) => {
        let [arrival, at] = [0, NOW];
        for (const { afterMs, wanted } of requests) {
          at += afterMs;
          ({ arrival } = decide(limit, arrival, wanted, at));
        }
        const rested = at + Math.ceil(limit.burst * limit.intervalMs);
        expect(standing(limit, arrival, rested)).toEqual({ remaining: limit.burst, nextMs: 0 });
      }),
    );
  });
});
