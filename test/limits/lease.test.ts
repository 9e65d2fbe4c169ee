import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type RateLimit } from "../../src/limits/gcra.ts";
import { type Lease, LEASE_MS, leaseFrom, leaseStanding, take } from "../../src/limits/lease.ts";

const NOW = Date.UTC(2026, 5, 1);
const MINUTELY: RateLimit = { burst: 60, intervalMs: 1_000 };

/** A limiter and the isolates that lease from it. */
class Deployment {
  readonly limit: RateLimit;
  readonly leases: (Lease | undefined)[] = [];
  roundTrips = 0;
  #arrival = 0;

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  request(isolate: number, at: number): boolean {
    let taken = take(this.leases[isolate], this.limit, at);
    if (taken.kind === "ask") {
      this.roundTrips += 1;
      const decision = decide(this.limit, this.#arrival, taken.wanted, at);
      this.#arrival = decision.arrival;
      this.leases[isolate] = leaseFrom(decision, taken.wanted, this.leases[isolate], at);
      taken = take(this.leases[isolate], this.limit, at);
    }
    if (taken.kind === "granted") this.leases[isolate] = taken.lease;
    return taken.kind === "granted";
  }
}

describe("a leased block", () => {
  it("lets a slow caller have every request of its rate", () => {
    const deployment = new Deployment({ burst: 60, intervalMs: 1_000 });
    const granted = Array.from({ length: 300 }, (_, index) => deployment.request(0, NOW + index * 1_000));
    expect(granted.every(Boolean)).toBe(true);
  });

  it("saves a busy caller most of the round trips", () => {
    const deployment = new Deployment({ burst: 600, intervalMs: 100 });
    for (let index = 0; index < 500; index++) deployment.request(0, NOW + index * 10);
    expect(deployment.roundTrips).toBeLessThan(70);
  });

  it("gives a burst in full to one isolate", () => {
    const deployment = new Deployment(MINUTELY);
    const granted = Array.from({ length: 100 }, () => deployment.request(0, NOW)).filter(Boolean);
    expect(granted).toHaveLength(60);
  });

  it("refuses without asking while the limiter would refuse", () => {
    const deployment = new Deployment({ burst: 1, intervalMs: 1_000 });
    for (let index = 0; index < 50; index++) deployment.request(0, NOW + index);
    expect(deployment.roundTrips).toBe(1);
    expect(take(deployment.leases[0], deployment.limit, NOW + 400)).toEqual({ kind: "refused", retryAfterMs: 600 });
    expect(deployment.request(0, NOW + 1_000)).toBe(true);
  });

  it("is lost when it expires", () => {
    const lease = leaseFrom({ granted: 5, arrival: NOW + 60_000 }, 5, undefined, NOW);
    expect(take(lease, MINUTELY, NOW + LEASE_MS - 1).kind).toBe("granted");
    expect(take(lease, MINUTELY, NOW + LEASE_MS).kind).not.toBe("granted");
    expect(leaseStanding(lease, MINUTELY, NOW).remaining).toBe(5);
    expect(leaseStanding(lease, MINUTELY, NOW + LEASE_MS).remaining).toBe(2);
  });

  it("never lets through more than the rate and one lease per isolate, whatever the isolates do", () => {
    const limits = fc.record({
      burst: fc.integer({ min: 1, max: 120 }),
      intervalMs: fc.constantFrom(50, 500, 1_000, 60_000 / 7),
    });
    const requests = fc.array(fc.record({ isolate: fc.nat({ max: 3 }), afterMs: fc.nat({ max: 1_500 }) }), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(limits, requests, (limit, calls) => {
        const deployment = new Deployment(limit);
        let at = NOW;
        const passed: number[] = [];
        for (const { isolate, afterMs } of calls) {
          at += afterMs;
          if (deployment.request(isolate, at)) passed.push(at);
        }
        for (const [from, first] of passed.entries()) {
          for (const [to, last] of passed.entries()) {
            if (to < from) continue;
            const allowed = limit.burst + (last - first + LEASE_MS) / limit.intervalMs;
            expect(to - from + 1).toBeLessThanOrEqual(allowed + 1e-3);
          }
        }
      }),
    );
  });
});
