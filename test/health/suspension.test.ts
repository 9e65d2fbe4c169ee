import { describe, expect, it } from "vitest";
import { failed, type FailureClass, type Outcome } from "../../src/cascade/outcome.ts";
import { nextHealth, reportOf, type StepHealth, suspensionOf } from "../../src/health/suspension.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Call {
  readonly at?: number;
  readonly ms?: number;
  readonly key?: string;
  readonly random?: number;
}

/** The state after an outcome. */
function after(previous: StepHealth | undefined, outcome: Outcome<unknown>, call: Call = {}): StepHealth | undefined {
  const { at = START, ms = 100, key = "aaaaaaaa", random = 0 } = call;
  const report = reportOf({ step: "serper", key, at, ms, random }, outcome);
  return report === undefined ? previous : nextHealth(previous, report);
}

/** For how long a step is suspended after a first failure, milliseconds. */
function firstSpan(outcome: Outcome<unknown>, random = 0): number {
  const health = after(undefined, outcome, { random });
  return (suspensionOf(health, "aaaaaaaa", START)?.until ?? START) - START;
}

/** The spans of failures that each come right after the suspension before them. */
function spansOf(outcome: Outcome<unknown>, times: number): number[] {
  const spans: number[] = [];
  let health: StepHealth | undefined;
  let now = START;
  for (let index = 0; index < times; index++) {
    health = after(health, outcome, { at: now, ms: 5_000 });
    spans.push(Math.max(0, health!.until - now));
    now = Math.max(now + 10, health!.until);
  }
  return spans;
}

const hit: Outcome<unknown> = { kind: "hit", results: [1] };
const refused = (failureClass: FailureClass, retryAfterMs?: number) =>
  failed(failureClass, "Serper refuses", { status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

describe("the first failure of a cause", () => {
  it.each<[string, Outcome<unknown>, number]>([
    ["rate waits as long as the provider asks", refused("rate", 7_000), 7_000],
    ["rate waits a second where the provider asks nothing", refused("rate"), 1_000],
    ["rate waits a minute at most", refused("rate", HOUR), MINUTE],
    ["a captcha waits minutes", refused("blocked"), 5 * MINUTE],
    ["quota waits for its clock, however far", refused("quota", 300 * HOUR), 300 * HOUR],
    ["quota without a clock waits an hour", refused("quota"), HOUR],
    ["auth waits an hour", refused("auth"), HOUR],
    ["a closed product waits a day", failed("auth", "shut", { status: 410, permanent: true }), 24 * HOUR],
    ["one broken answer waits for nothing", refused("transient"), 0],
    ["one malformed answer waits for nothing", refused("malformed"), 0],
    ["bad parameters wait for nothing", refused("bad-request"), 0],
    ["a step that was not called waits for nothing", failed("skipped", "no key"), 0],
    ["a full house is not the provider's doing", failed("rate", "all slots are taken"), 0],
    ["an address that our guard refuses is not the provider's doing", failed("blocked", "not public"), 0],
    ["a hit that a rate limit cut short waits", { ...hit, endedBy: refused("rate", 9_000) } as Outcome<unknown>, 9_000],
  ])("%s", (_, outcome, expected) => {
    expect(firstSpan(outcome)).toBe(expected);
  });
});

describe("repetition", () => {
  it("doubles a captcha's suspension up to six hours", () => {
    expect(spansOf(refused("blocked"), 9).map((span) => span / MINUTE)).toEqual([
      5, 10, 20, 40, 80, 160, 320, 360, 360,
    ]);
  });

  it("doubles a rate limit's up to a minute, also against a shorter Retry-After", () => {
    expect(spansOf(refused("rate", 2_000), 8)).toEqual([2_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it("never asks a wrong key more than once an hour", () => {
    expect(new Set(spansOf(refused("auth"), 4))).toEqual(new Set([HOUR]));
  });

  it("suspends a broken provider at the third failure in a row only", () => {
    expect(spansOf(refused("transient"), 5)).toEqual([0, 0, 5_000, 10_000, 20_000]);
  });

  it("counts broken, slow and malformed answers together", () => {
    let health = after(undefined, refused("transient"), { at: START });
    health = after(health, failed("timeout", "no answer"), { at: START + 10, ms: 8_000 });
    health = after(health, refused("malformed"), { at: START + 20 });
    expect(suspensionOf(health, "aaaaaaaa", START + 21)?.reason).toContain("malformed");
  });

  it("does not count timeouts of calls that had hardly any time", () => {
    let health: StepHealth | undefined;
    for (let index = 0; index < 5; index++) {
      health = after(health, failed("timeout", "no answer"), { at: START + index, ms: 300 });
    }
    expect(health).toBeUndefined();
  });

  it("takes failures of calls that were under way together as one", () => {
    const one = after(undefined, refused("blocked"));
    const more = [1, 2, 3].reduce((health, index) => after(health, refused("blocked"), { at: START + index }), one);
    const next = after(more, refused("blocked"), { at: more!.until });
    expect(next!.until - more!.until).toBe(10 * MINUTE);
  });

  it("spreads suspensions, and never shortens what the provider asks for", () => {
    expect(firstSpan(refused("blocked"), 0.999)).toBeGreaterThan(5 * MINUTE);
    expect(firstSpan(refused("rate", 7_000), 0.999)).toBeGreaterThan(7_000);
    expect(firstSpan(refused("rate", 7_000), 0.999)).toBeLessThan(8_000);
    expect(firstSpan(refused("quota", 24 * HOUR), 0.999)).toBeLessThanOrEqual(24 * HOUR + MINUTE);
  });
});

describe("recovery", () => {
  it.each<[string, Outcome<unknown>]>([
    ["a hit", hit],
    ["an empty answer", { kind: "empty" }],
  ])("%s forgets all failures", (_, outcome) => {
    const blocked = after(undefined, refused("blocked"));
    expect(after(blocked, outcome, { at: START + 5 * MINUTE })).toBeUndefined();
  });

  it("is not proved by an answer to a call that began before the failure", () => {
    const limited = after(undefined, refused("rate", 30_000));
    expect(after(limited, hit, { at: START + 50, ms: 200 })).toEqual(limited);
  });

  it("comes when the time is over", () => {
    const limited = after(undefined, refused("rate", 7_000));
    expect(suspensionOf(limited, "aaaaaaaa", START + 6_999)).toBeDefined();
    expect(suspensionOf(limited, "aaaaaaaa", START + 7_000)).toBeUndefined();
  });

  it("comes with another key, which then has a memory of its own", () => {
    const wrong = after(undefined, refused("auth"));
    expect(suspensionOf(wrong, "bbbbbbbb", START)).toBeUndefined();
    const other = after(wrong, refused("rate", 3_000), { key: "bbbbbbbb", at: START + 1 });
    expect(suspensionOf(other, "bbbbbbbb", START + 2)?.until).toBe(START + 3_001);
  });
});

describe("several causes", () => {
  it("keeps the longer suspension and its reason", () => {
    const blocked = after(undefined, refused("blocked"));
    const still = after(blocked, refused("rate", 2_000), { at: START + 5 });
    expect(suspensionOf(still, "aaaaaaaa", START + 10)).toMatchObject({
      until: START + 5 * MINUTE,
      reason: "suspended until 2026-11-20T08:05:00.000Z (blocked): Serper refuses",
    });
  });

  it("lengthens a short suspension by a graver one", () => {
    const limited = after(undefined, refused("rate", 2_000));
    const graver = after(limited, refused("quota", HOUR), { at: START + 5 });
    expect(graver).toMatchObject({ cause: "quota", until: START + 5 + HOUR });
  });
});
