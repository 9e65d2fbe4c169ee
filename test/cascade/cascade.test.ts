import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { additive, type CascadeContext, first, gather, runCascade, type Step } from "../../src/cascade/cascade.ts";
import { serverTiming } from "../../src/cascade/attempt.ts";
import { deadlineIn } from "../../src/cascade/deadline.ts";
import type { Health } from "../../src/cascade/health.ts";
import { failed, type FailureClass, type Outcome } from "../../src/cascade/outcome.ts";

const clock = { now: () => performance.now() };
const HANG = "hang";

function step(name: string, outcome: Outcome<string> | typeof HANG, more: Partial<Step<string>> = {}): Step<string> {
  return {
    name,
    timeLimitMs: 1_000,
    run: () => (outcome === HANG ? new Promise(() => {}) : Promise.resolve(outcome)),
    ...more,
  };
}

function within(ms: number, health?: Health): CascadeContext {
  return { deadline: deadlineIn(ms, clock), clock, ...(health ? { health } : {}) };
}

const hit = (...results: string[]): Outcome<string> => ({ kind: "hit", results });
const empty: Outcome<string> = { kind: "empty" };

describe("first", () => {
  it("stops at the first hit and calls nobody behind it", async () => {
    const called: string[] = [];
    const tracked = (name: string, outcome: Outcome<string>) =>
      step(name, outcome, { run: async () => (called.push(name), outcome) });
    const run = await first([tracked("a", empty), tracked("b", hit("x")), tracked("c", hit("y"))], within(5_000));
    expect(called).toEqual(["a", "b"]);
    expect(run.hits).toEqual([{ name: "b", results: ["x"] }]);
    expect(run.attempts.map(({ provider, outcome, kept }) => [provider, outcome, kept])).toEqual([
      ["a", "empty", 0],
      ["b", "hit", 1],
    ]);
    expect(run.verdict).toBe("hit");
  });

  it("tells empty, inconclusive and failed apart", async () => {
    const auth = failed("auth", "no");
    expect((await first([step("a", empty), step("b", empty)], within(5_000))).verdict).toBe("empty");
    expect((await first([step("a", auth), step("b", empty)], within(5_000))).verdict).toBe("inconclusive");
    expect((await first([step("a", auth), step("b", auth)], within(5_000))).verdict).toBe("failed");
    const skipped = step("a", hit("x"), { skip: "not configured" });
    expect((await first([skipped, step("b", empty)], within(5_000))).verdict).toBe("empty");
    expect((await first([skipped], within(5_000))).verdict).toBe("failed");
  });

  it("does not call a search empty whose time ended before everybody was asked", async () => {
    let remaining = 5_000;
    const slow = step("a", empty, { run: async () => ((remaining = 10), empty) });
    const deadline = { signal: new AbortController().signal, remainingMs: () => remaining };
    const run = await first([slow, step("b", hit("x"))], { deadline, clock });
    expect(run.attempts.map((attempt) => attempt.class)).toEqual([undefined, "timeout"]);
    expect(run.verdict).toBe("inconclusive");
  });

  it("gives a hanging step its own time limit and no more", async () => {
    const run = await first([step("a", HANG, { timeLimitMs: 60 }), step("b", hit("x"))], within(5_000));
    expect(run.attempts[0]).toMatchObject({ provider: "a", outcome: "failed", class: "timeout" });
    expect(run.verdict).toBe("hit");
  });

  it("ends within the deadline when every step hangs, and leaves each step some of it", async () => {
    const steps = ["a", "b", "c"].map((name) => step(name, HANG));
    const run = await first(steps, within(400));
    expect(run.verdict).toBe("failed");
    expect(run.attempts.map((attempt) => attempt.class)).toEqual(["timeout", "timeout", "timeout"]);
  });

  it("aborts what a step does upstream when its time is over", async () => {
    let aborted = false;
    const slow = step("a", HANG, {
      timeLimitMs: 50,
      run: (signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => (aborted = true));
        }),
    });
    await first([slow], within(5_000));
    expect(aborted).toBe(true);
  });

  it("turns a reader that throws into a failure without its message", async () => {
    const broken = step("a", HANG, { run: () => Promise.reject(new TypeError("https://x/?api_key=secret")) });
    const run = await first([broken, step("b", hit("x"))], within(5_000));
    expect(run.attempts[0]).toMatchObject({ outcome: "failed", class: "malformed" });
    expect(JSON.stringify(run)).not.toContain("secret");
  });

  it("does not call a suspended provider and says why", async () => {
    const reports: string[] = [];
    const health: Health = {
      suspension: (name) => (name === "a" ? { reason: "quota until midnight", until: 1 } : undefined),
      report: (name, outcome) => reports.push(`${name} ${outcome.kind}`),
    };
    const run = await first([step("a", hit("x")), step("b", hit("y"))], within(5_000, health));
    expect(run.attempts[0]).toMatchObject({ class: "skipped", detail: "quota until midnight" });
    expect(run.hits[0]!.name).toBe("b");
    expect(reports).toEqual(["b hit"]);
    const nothing = await first([step("a", hit("x")), step("b", empty)], within(5_000, health));
    expect(nothing.verdict).toBe("inconclusive");
  });
});

describe("a watcher", () => {
  it("hears each attempt as it ends, before the cascade does", async () => {
    const heard: string[] = [];
    const context = { ...within(5_000), onAttempt: (attempt: { provider: string }) => heard.push(attempt.provider) };
    const second = step("b", hit("x"), { run: async () => (heard.push("b begins"), hit("x")) });
    await first([step("a", empty), second], context);
    expect(heard).toEqual(["a", "b begins", "b"]);
  });
});

describe("gather", () => {
  it("runs all of them and keeps their order, whatever order they end in", async () => {
    const late = step("late", hit("1"), { run: async () => (await pause(40), hit("1")) });
    const run = await gather([late, step("early", hit("2")), step("none", empty)], within(5_000));
    expect(run.hits.flatMap((each) => each.results)).toEqual(["1", "2"]);
    expect(run.attempts.map((attempt) => attempt.provider)).toEqual(["late", "early", "none"]);
  });

  it("keeps to its concurrency", async () => {
    let running = 0;
    let peak = 0;
    const steps = Array.from({ length: 7 }, (_, index) =>
      step(String(index), empty, {
        run: async () => {
          peak = Math.max(peak, ++running);
          await pause(5);
          running--;
          return empty;
        },
      }),
    );
    await gather(steps, within(5_000), 3);
    expect(peak).toBe(3);
  });
});

describe("a policy that has enough", () => {
  it("aborts what still runs and starts nothing more", async () => {
    let aborted = false;
    const steps = [
      step("a", hit("x")),
      step("b", HANG, {
        run: (signal) => new Promise(() => signal.addEventListener("abort", () => (aborted = true))),
      }),
      step("c", hit("z")),
    ];
    const policy = { concurrency: 2, enough: (results: readonly string[]) => results.length > 0 };
    const run = await runCascade(steps, policy, within(5_000));
    expect(run.hits.map((each) => each.name)).toEqual(["a"]);
    expect(aborted).toBe(true);
    expect(run.attempts.map(({ provider, class: failure }) => [provider, failure])).toEqual([
      ["a", undefined],
      ["b", "skipped"],
    ]);
  });
});

describe("additive", () => {
  const three = (results: readonly string[]) => results.length >= 3;

  it("runs a group in parallel and waits for all of it before the next", async () => {
    const log: string[] = [];
    const tracked = (name: string, ms: number) =>
      step(name, empty, {
        run: async () => {
          log.push(`+${name}`);
          await pause(ms);
          log.push(`-${name}`);
          return hit(name);
        },
      });
    const run = await additive([[tracked("a", 30), tracked("b", 10)], [tracked("c", 1)]], three, within(5_000));
    expect(log).toEqual(["+a", "+b", "-b", "-a", "+c", "-c"]);
    expect(run.hits.map((each) => each.name)).toEqual(["a", "b", "c"]);
  });

  it("lets the rest of a group end once there is enough, and names the groups that were not needed", async () => {
    const late = step("late", empty, { run: async () => (await pause(30), hit("late")) });
    const run = await additive([[step("a", hit("1", "2", "3")), late], [step("b", hit("4"))]], three, within(5_000));
    expect(run.hits.flatMap((each) => each.results)).toEqual(["1", "2", "3", "late"]);
    expect(run.attempts.map(({ provider, class: failure }) => [provider, failure])).toEqual([
      ["a", undefined],
      ["late", undefined],
      ["b", "skipped"],
    ]);
  });

  it("goes on past groups that fail, are skipped or have nothing", async () => {
    const groups = [
      [step("a", failed("auth", "no")), step("b", hit("x"), { skip: "not configured" })],
      [step("c", hit("x"), { skip: "not configured" })],
      [step("d", empty), step("e", hit("y"))],
    ];
    const run = await additive(groups, three, within(5_000));
    expect(run.attempts.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ["a", "failed"],
      ["b", "failed"],
      ["c", "failed"],
      ["d", "empty"],
      ["e", "hit"],
    ]);
    expect(run.verdict).toBe("hit");
  });

  it("keeps time for every later group when the first hangs", async () => {
    const run = await additive([[step("a", HANG), step("b", HANG)], [step("c", hit("x"))]], three, within(2_500));
    expect(run.attempts.map(({ provider, class: failure }) => [provider, failure])).toEqual([
      ["a", "timeout"],
      ["b", "timeout"],
      ["c", undefined],
    ]);
  });

  it("answers nothing when there is nothing to run", async () => {
    expect(await additive<string>([], three, within(100))).toEqual({ hits: [], attempts: [], verdict: "failed" });
  });
});

describe("any pattern of outcomes", () => {
  const classes: FailureClass[] = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed"];
  const outcome = fc.oneof(
    fc.constant(empty),
    fc.constant(hit("r")),
    fc.constantFrom(...classes).map((each) => failed(each, "x")),
  );
  it("is never called empty when a step failed, and never failed when one hit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 6 }), async (outcomes) => {
        const run = await first(
          outcomes.map((each, index) => step(String(index), each)),
          within(5_000),
        );
        const firstHit = outcomes.findIndex((each) => each.kind === "hit");
        expect(run.verdict === "hit").toBe(firstHit >= 0);
        if (run.verdict === "empty") expect(outcomes.every((each) => each.kind === "empty")).toBe(true);
        if (firstHit >= 0) expect(run.attempts).toHaveLength(firstHit + 1);
      }),
    );
  });
});

it("writes Server-Timing as one metric a step", () => {
  const attempts = [
    { provider: "serpapi", outcome: "failed", class: "rate", ms: 12, cached: false, kept: 0 },
    { provider: "google-cse#2", outcome: "hit", ms: 30, cached: false, kept: 5 },
  ] as const;
  expect(serverTiming(attempts)).toBe('serpapi;dur=12;desc="rate", google-cse-2;dur=30;desc="hit"');
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
