import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdictOf, waitBeforeNextTry } from "../../src/webhooks/schedule.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const MIDDLE = 0.5;

describe("what a receiver's status means", () => {
  it.each([200, 201, 202, 204, 299])("%i: it has the event", (status) => {
    expect(verdictOf(status)).toBe("delivered");
  });

  it("410: it wants no more", () => {
    expect(verdictOf(410)).toBe("gone");
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 409, 413, 429, 500, 502, 503, 504])("%i: try again", (status) => {
    expect(verdictOf(status)).toBe("retry");
  });
});

describe("the retry schedule", () => {
  it("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and gives up behind the eighth try", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => waitBeforeNextTry(tries, MIDDLE));
    const hours = waits.map((wait) => (wait === undefined ? undefined : wait / HOUR));
    expect(hours).toEqual([5 / 3_600, 5 / 60, 0.5, 2, 5, 10, 10, undefined]);
  });

  it("lasts more than a day and less than a day and a half, whatever chance says", () => {
    fc.assert(
      fc.property(fc.array(chance(), { minLength: 7, maxLength: 7 }), (randoms) => {
        const total = randoms.reduce((sum, random, index) => sum + waitBeforeNextTry(index + 1, random)!, 0);
        expect(total).toBeGreaterThan(24 * HOUR);
        expect(total).toBeLessThan(36 * HOUR);
      }),
    );
  });

  it("spreads repeats by a tenth to either side", () => {
    expect(waitBeforeNextTry(1, 0)).toBe(4_500);
    expect(waitBeforeNextTry(1, 0.999_999)).toBe(5_500);
  });
});

describe("a receiver's Retry-After", () => {
  it("makes a wait longer", () => {
    expect(waitBeforeNextTry(1, MIDDLE, 120 * SECOND)).toBe(120 * SECOND);
  });

  it("never makes it shorter", () => {
    expect(waitBeforeNextTry(4, MIDDLE, 0)).toBe(2 * HOUR);
    expect(waitBeforeNextTry(4, MIDDLE, -5)).toBe(2 * HOUR);
  });

  it("cannot put an event off for weeks", () => {
    expect(waitBeforeNextTry(1, MIDDLE, 31 * 24 * HOUR)).toBe(10 * HOUR);
  });

  it("gives no further try", () => {
    expect(waitBeforeNextTry(8, MIDDLE, 60 * SECOND)).toBeUndefined();
  });
});

function chance(): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
}
