import { describe, expect, it } from "vitest";
import { UpstreamMeter } from "../../src/limits/upstream-meter.ts";
import { dayOf } from "../../src/limits/utc-day.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const TODAY = dayOf(NOON);

describe("the daily budget of provider calls", () => {
  it("ends after its calls and says when it begins anew", () => {
    const meter = new UpstreamMeter();
    expect([meter.spend(2, NOON), meter.spend(2, NOON)]).toEqual([undefined, undefined]);
    expect(meter.spend(2, NOON)).toContain("2026-06-02T00:00:00.000Z");
  });

  it("begins anew at midnight UTC and not before", () => {
    const meter = new UpstreamMeter();
    meter.spend(1, NOON);
    expect(meter.spend(1, Date.UTC(2026, 5, 2) - 1)).toBeDefined();
    expect(meter.spend(1, Date.UTC(2026, 5, 2))).toBeUndefined();
  });

  it("counts what other isolates told the limiter", () => {
    const meter = new UpstreamMeter();
    meter.learn({ day: TODAY, calls: 9 }, NOON, 1_000);
    expect(meter.spend(10, NOON)).toBeUndefined();
    expect(meter.spend(10, NOON)).toBeDefined();
    expect([meter.isFresh(NOON + 999), meter.isFresh(NOON + 1_000)]).toEqual([true, false]);
  });

  it("still counts its own calls that the limiter has not heard of", () => {
    const meter = new UpstreamMeter();
    meter.spend(2, NOON);
    meter.learn({ day: TODAY, calls: 1 }, NOON, 1_000);
    expect(meter.spend(2, NOON)).toBeDefined();
  });

  it("reports each call once, and again when the report was lost", () => {
    const meter = new UpstreamMeter();
    meter.spend(9, NOON);
    meter.spend(9, NOON);
    const lost = meter.collect()!;
    expect(lost).toEqual({ day: TODAY, calls: 2 });
    expect(meter.collect()).toBeUndefined();
    meter.restore(lost);
    expect(meter.spend(2, NOON)).toBeDefined();
    expect(meter.collect()).toEqual(lost);
  });

  it("drops the answer about a day that is over", () => {
    const meter = new UpstreamMeter();
    meter.learn({ day: TODAY - 1, calls: 50 }, NOON, 1_000);
    expect(meter.spend(1, NOON)).toBeUndefined();
  });
});
