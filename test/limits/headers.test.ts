import { describe, expect, it } from "vitest";
import { rateLimitHeaders, retryAfter } from "../../src/limits/headers.ts";
import { rateLimitOf } from "../../src/limits/limit-book.ts";

describe("what a caller is told", () => {
  it("is the policy and what is left of it", () => {
    const limit = rateLimitOf({ per_minute: 60 })!;
    expect(rateLimitHeaders(limit, { remaining: 12, nextMs: 2_100 })).toEqual({
      "ratelimit-policy": '"default";q=60;w=60',
      ratelimit: '"default";r=12;t=3',
    });
  });

  it("has the burst as quota, in the time that the burst takes to grow back", () => {
    const limit = rateLimitOf({ per_minute: 30, burst: 5 })!;
    expect(rateLimitHeaders(limit, { remaining: 5, nextMs: 0 })).toEqual({
      "ratelimit-policy": '"default";q=5;w=10',
      ratelimit: '"default";r=5',
    });
  });

  it("is whole seconds that are never too early", () => {
    expect(["0", "1", "1000", "1001"].map((ms) => retryAfter(Number(ms)))).toEqual(["1", "1", "1", "2"]);
    const odd = rateLimitOf({ per_minute: 7, burst: 3 })!;
    expect(rateLimitHeaders(odd, { remaining: 0, nextMs: 8_571.4 })["ratelimit"]).toBe('"default";r=0;t=9');
  });

  it("is nothing for a key without a rate", () => {
    expect(rateLimitOf({ upstream_per_day: 5 })).toBeUndefined();
  });
});
