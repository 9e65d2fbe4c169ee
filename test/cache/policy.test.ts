import { describe, expect, it } from "vitest";
import { cacheHeaders, wishOf } from "../../src/cache/cache-status.ts";
import { lifetimeOf } from "../../src/cache/policy.ts";
import type { Attempt } from "../../src/cascade/attempt.ts";
import { verdictOf } from "../../src/cascade/cascade.ts";

const HOUR = 3_600;
const WEEK = 7 * 24 * HOUR;

const answered = (provider: string, outcome: "hit" | "empty" = "hit"): Attempt => ({
  provider,
  outcome,
  ms: 1,
  cached: false,
  kept: outcome === "hit" ? 1 : 0,
});
const refused = (provider: string, more: Partial<Attempt> = { class: "timeout" }): Attempt => ({
  provider,
  outcome: "failed",
  ms: 1,
  cached: false,
  kept: 0,
  ...more,
});

function lifetime(...attempts: readonly Attempt[]) {
  const hits = attempts.flatMap(({ provider, outcome }) =>
    outcome === "hit" ? [{ name: provider, results: [1] }] : [],
  );
  return lifetimeOf({ hits, attempts, verdict: verdictOf(attempts) });
}

describe("how long a search is kept", () => {
  it.each([
    ["serpapi", HOUR, WEEK],
    ["serpapi#2:bing", HOUR, WEEK],
    ["pixabay", 24 * HOUR, 0],
    ["brave", 300, 0],
    ["google-cse#2", 300, 0],
    ["wikipedia", HOUR, WEEK],
    // Its terms say nothing.
    ["serper", 300, 0],
    ["nobody-knows", 300, 0],
  ])("follows the terms of %s", (step, fresh, staleIfError) => {
    expect(lifetime(answered(step))).toEqual({ fresh, staleIfError });
  });

  it("follows the strictest of those who gave it", () => {
    expect(lifetime(answered("serpapi:google_lens"), answered("saucenao"))).toEqual({ fresh: 300, staleIfError: 0 });
  });

  it("is never, for Gemini and together with Gemini", () => {
    expect(lifetime(answered("gemini"))).toBeUndefined();
    expect(lifetime(answered("serpapi"), answered("gemini"))).toBeUndefined();
    expect(lifetime(answered("gemini", "empty"))).toBeUndefined();
  });

  it("is minutes behind a better-placed provider that failed or is suspended", () => {
    expect(lifetime(refused("serpapi"), answered("wikipedia"))?.fresh).toBe(300);
    const suspended = refused("serpapi", { class: "skipped", retry_after_ms: 1_000 });
    expect(lifetime(suspended, answered("wikipedia"))?.fresh).toBe(300);
    const cut = { ...answered("serpapi"), class: "timeout" as const };
    expect(lifetime(cut)?.fresh).toBe(300);
    expect(lifetime(refused("serpapi", { class: "skipped" }), answered("wikipedia"))?.fresh).toBe(HOUR);
  });

  it("is a minute for nothing, never to stand in, and a day at Pixabay", () => {
    expect(lifetime(answered("serpapi", "empty"), answered("wikipedia", "empty"))).toEqual({
      fresh: 60,
      staleIfError: 0,
    });
    expect(lifetime(answered("pixabay", "empty"))?.fresh).toBe(24 * HOUR);
  });

  it("is never, for what failed and for nothing of which not everyone answered", () => {
    expect(lifetime(refused("serpapi"))).toBeUndefined();
    expect(lifetime(refused("serpapi"), answered("wikipedia", "empty"))).toBeUndefined();
  });
});

describe("what a caller wants of the cache", () => {
  it.each([
    [undefined, "use"],
    ["", "use"],
    ["max-age=60", "use"],
    ["no-cache", "revalidate"],
    ["No-Cache, max-age=3", "revalidate"],
    ["max-age=0", "revalidate"],
    ["no-cache, no-store", "none"],
    ["no-cached", "use"],
  ])("%j is %s", (header, wish) => {
    expect(wishOf(header)).toBe(wish);
  });
});

describe("Cache-Status", () => {
  const hit = { kind: "hit", ttl: 50, age: 10 } as const;
  const miss = { kind: "miss", stored: true, collapsed: false } as const;

  it.each([
    [[], {}],
    [[hit], { "cache-status": "sluice; hit; ttl=50", age: "10" }],
    [[hit, { ...hit, ttl: 5, age: 55 }], { "cache-status": "sluice; hit; ttl=5", age: "55" }],
    [[miss], { "cache-status": "sluice; fwd=miss; stored" }],
    [[hit, miss], { "cache-status": "sluice; fwd=miss; stored" }],
    [[miss, { ...miss, stored: false }], { "cache-status": "sluice; fwd=miss" }],
    [[{ ...miss, stored: false, collapsed: true }], { "cache-status": "sluice; fwd=miss; collapsed" }],
    [[{ kind: "request", stored: true }], { "cache-status": "sluice; fwd=request; stored" }],
    [
      [{ kind: "stale", ttl: -412, age: 4_012 }, miss],
      { "cache-status": "sluice; fwd=stale; ttl=-412; detail=stale-if-error", age: "4012" },
    ],
  ] as const)("of %o", (lookups, headers) => {
    expect(cacheHeaders(lookups)).toEqual(headers);
  });
});
