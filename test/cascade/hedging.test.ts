import { describe, expect, it } from "vitest";
import { additive, first, gather, type Step } from "../../src/cascade/cascade.ts";
import type { Health, Latency } from "../../src/cascade/health.ts";
import { hedgeAfter, type Hedging } from "../../src/cascade/hedging.ts";
import { failed, type Outcome } from "../../src/cascade/outcome.ts";
import { VirtualTime } from "./virtual-time.ts";

const HIT: Outcome<string> = { kind: "hit", results: ["x"] };
const EMPTY: Outcome<string> = { kind: "empty" };
const FREELY: Hedging = { begin: () => {}, spend: () => true };

/** A run in its own time; `steps` are `[name, milliseconds, outcome]`. */
function scene(steps: readonly (readonly [string, number, Outcome<string>])[], health?: Partial<Health>) {
  const time = new VirtualTime();
  const started: string[] = [];
  const told: string[] = [];
  const made = steps.map(([name, ms, outcome]): Step<string> => ({
    name,
    provider: name.replace(/#.*/, ""),
    timeLimitMs: 8_000,
    run: () => {
      started.push(`${name} at ${time.now()}`);
      return new Promise((resolve) => time.after(ms, () => resolve(outcome)));
    },
  }));
  const context = {
    deadline: time.deadline(25_000),
    clock: time,
    timers: time,
    hedging: FREELY,
    health: {
      suspension: () => undefined,
      report: (step: string, { kind }: Outcome<unknown>, ms: number) => told.push(`report ${step} ${kind} ${ms}`),
      release: (step: string) => told.push(`release ${step}`),
      noteLatency: (step: string, ms: number) => told.push(`latency ${step} ${ms}`),
      ...health,
    },
  };
  return { time, started, told, steps: made, context };
}

describe("a step counts as slow", () => {
  const after = (latency: Latency | undefined, afterMs?: number) =>
    hedgeAfter(
      "serper",
      { ...FREELY, ...(afterMs === undefined ? {} : { afterMs }) },
      { suspension: () => undefined, report: () => {}, latency: (step) => (step === "serper" ? latency : undefined) },
    );

  it("after the provider's recent p95, and never before 800 ms", () => {
    expect(after({ p50: 900, p95: 2_100, samples: 60 })).toBe(2_100);
    expect(after({ p50: 100, p95: 350, samples: 60 })).toBe(800);
    expect(after(undefined)).toBe(800);
  });

  it("after 800 ms while only a handful of answers is known", () => {
    expect(after({ p50: 900, p95: 6_000, samples: 5 })).toBe(800);
  });

  it("after what the operator says, whatever the provider usually takes", () => {
    expect(after({ p50: 900, p95: 2_100, samples: 60 }, 300)).toBe(300);
  });
});

describe("a hedged run", () => {
  it("tells nothing bad of who lost, and how long the winner took", async () => {
    const { time, told, steps, context } = scene([
      ["a", 60_000, HIT],
      ["b", 200, HIT],
    ]);
    const run = await time.until(first(steps, context));
    expect(told.toSorted()).toEqual(["latency b 200", "release a", "report b hit 200"]);
    expect(run.attempts).toEqual([
      {
        provider: "a",
        outcome: "failed",
        class: "skipped",
        detail: "ended: b answered first",
        ms: 1_000,
        cached: false,
        kept: 0,
      },
      { provider: "b", outcome: "hit", ms: 200, cached: false, hedged: true, kept: 1 },
    ]);
    expect(time.now()).toBe(1_000);
  });

  it("asks the one after next at once when the company has nothing", async () => {
    const { time, started, steps, context } = scene([
      ["a", 60_000, HIT],
      ["b", 100, EMPTY],
      ["c", 100, HIT],
    ]);
    await time.until(first(steps, context));
    expect(started).toEqual(["a at 0", "b at 800", "c at 900"]);
  });

  it("passes over a second key of the slow provider, and comes back to it when the first is refused", async () => {
    const { time, started, steps, context } = scene([
      ["a", 1_200, failed("quota", "used up")],
      ["a#2", 100, HIT],
      ["b", 900, EMPTY],
    ]);
    const run = await time.until(first(steps, context));
    expect(started).toEqual(["a at 0", "b at 800", "a#2 at 1600"]);
    expect(run.hits[0]?.name).toBe("a#2");
  });

  it("asks those in turn whose try another request has, and counts them as not asked", async () => {
    const taken = { reason: "another request is trying it", until: 30_000 };
    const { time, started, steps, context } = scene(
      [
        ["a", 10, HIT],
        ["b", 10, EMPTY],
      ],
      { claim: (step) => (step === "a" ? Promise.resolve(taken) : undefined) },
    );
    const run = await time.until(first(steps, context));
    expect(started).toEqual(["b at 0"]);
    expect(run.attempts[0]).toMatchObject({ class: "skipped", retry_after_ms: 30_000 });
    expect(run.verdict).toBe("inconclusive");
  });

  it("never waits for a provider that asks to be left alone, however long", async () => {
    const { time, steps, context } = scene([
      ["a", 10, failed("rate", "too fast", { retryAfterMs: 3_600_000 })],
      ["b", 10, HIT],
    ]);
    await time.until(first(steps, context));
    expect(time.now()).toBe(20);
  });
});

describe("what keeps all that comes", () => {
  it.each(["gather", "additive"] as const)("is not hedged: %s", async (way) => {
    const { time, steps, context } = scene([
      ["a", 3_000, HIT],
      ["b", 100, HIT],
    ]);
    const run =
      way === "gather"
        ? gather(steps, context, 1)
        : additive(
            steps.map((step) => [step]),
            () => false,
            context,
          );
    expect((await time.until(run)).attempts.filter(({ hedged }) => hedged)).toEqual([]);
    expect(time.now()).toBe(3_100);
  });
});

it("does not take the time of several calls for that of one", async () => {
  const { time, told, steps, context } = scene([["a", 3_000, HIT]]);
  await time.until(gather([{ ...steps[0]!, several: true }], context));
  expect(told).toEqual(["report a hit 3000"]);
});
