import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { HedgeBook } from "../../src/health/hedge-book.ts";
import { requestHedging } from "../../src/health/request-hedging.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const WINDOW = 10 * 60_000;

describe("paid hedges", () => {
  it("are one in twenty requests on a day when everything is slow", () => {
    const book = new HedgeBook();
    let hedges = 0;
    for (let index = 0; index < 1_000; index++) {
      book.countRequest(START + index);
      if (book.spend(START + index)) hedges += 1;
    }
    expect(hedges).toBe(50);
  });

  it("are one at a time where hardly anybody asks", () => {
    const book = new HedgeBook();
    book.countRequest(START);
    expect([book.spend(START), book.spend(START), book.spend(START + 5 * 60_000)]).toEqual([true, false, false]);
    expect(book.spend(START + WINDOW)).toBe(true);
  });

  it("are forgotten with the requests of their window", () => {
    const book = new HedgeBook();
    for (let index = 0; index < 200; index++) book.countRequest(START);
    const spent = () => Array.from({ length: 20 }, () => book.spend(START + WINDOW)).filter(Boolean).length;
    expect(spent()).toBe(1);
  });

  it("never are more than one in twenty of any ten minutes, or one", () => {
    const events = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 40_000 }), hedge: fc.boolean() }), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(events, (all) => {
        const book = new HedgeBook();
        const requests: number[] = [];
        const hedges: number[] = [];
        let now = START;
        for (const { wait, hedge } of all) {
          now += wait;
          book.countRequest(now);
          requests.push(now);
          if (hedge && book.spend(now)) hedges.push(now);
          const lately = (times: number[]) => times.filter((at) => at > now - WINDOW + 60_000).length;
          const within = requests.filter((at) => at > now - WINDOW).length;
          expect(lately(hedges)).toBeLessThanOrEqual(Math.max(1, within / 20));
        }
      }),
    );
  });

  it("count a request once, however many searches it makes", () => {
    const book = new HedgeBook();
    const clock = { now: () => START };
    for (let index = 0; index < 30; index++) {
      const hedging = requestHedging(book, clock, undefined);
      hedging.begin();
      hedging.begin();
    }
    const hedging = requestHedging(book, clock, undefined);
    expect([hedging.spend(), hedging.spend()]).toEqual([true, false]);
  });
});

describe("the setting HEDGE_AFTER_MS", () => {
  it("is `off`, or milliseconds; without it providers are measured", () => {
    expect(readConfig({}).hedging).toEqual({});
    expect(readConfig({ HEDGE_AFTER_MS: "off" }).hedging).toBe("off");
    expect(readConfig({ HEDGE_AFTER_MS: "1200" }).hedging).toEqual({ afterMs: 1_200 });
  });

  it.each(["0", "-5", "1.5", "60001", "soon", "1e3"])("is refused when it is %s", (value) => {
    expect(() => readConfig({ HEDGE_AFTER_MS: value })).toThrow("HEDGE_AFTER_MS must be");
  });
});
