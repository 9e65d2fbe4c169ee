import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CascadeRun, first, type Step } from "../../src/cascade/cascade.ts";
import { failed, type FailureClass, type Outcome } from "../../src/cascade/outcome.ts";
import { VirtualTime } from "./virtual-time.ts";

/** What one step does when it is called. */
interface Script {
  /** Milliseconds to its answer; `never` hangs. */
  readonly latency: number | "never";
  readonly ends: "hit" | "empty" | "throws" | FailureClass;
  /** Turns of the event loop that reading the answer takes, once it is there. */
  readonly turns: number;
  readonly obeysSignal: boolean;
  readonly provider: string;
  readonly billed: boolean;
  readonly skip: boolean;
  readonly timeLimitMs: number;
}

/** What became of one call. */
interface Call {
  readonly index: number;
  readonly startedAt: number;
  readonly signal: AbortSignal;
  /** Of its answer, or of its abort. */
  endedAt: number;
  answeredAt?: number;
  answer?: Outcome<string>;
}

interface World {
  readonly scripts: readonly Script[];
  readonly deadlineMs: number;
  readonly afterMs: number;
  /** Paid hedges that are left. */
  readonly leave: number;
}

const FAILURES: readonly FailureClass[] = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed"];

const script: fc.Arbitrary<Script> = fc.record({
  // Few values, so that answers, hedges and limits often fall into one moment.
  latency: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 1, 200, 400, 600, 800, 1_000, 1_600, 2_400, 4_000, 8_000, 12_000) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
    { weight: 2, arbitrary: fc.constant("never" as const) },
  ),
  ends: fc.oneof(
    { weight: 4, arbitrary: fc.constant("hit" as const) },
    { weight: 3, arbitrary: fc.constant("empty" as const) },
    { weight: 1, arbitrary: fc.constant("throws" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...FAILURES) },
  ),
  turns: fc.constantFrom(0, 1, 12),
  obeysSignal: fc.boolean(),
  provider: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  billed: fc.boolean(),
  skip: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  timeLimitMs: fc.constantFrom(400, 800, 8_000, 15_000),
});

const anyWorld: fc.Arbitrary<World> = fc.record({
  scripts: fc.array(script, { minLength: 1, maxLength: 7 }),
  deadlineMs: fc.constantFrom(40, 100, 900, 3_000, 25_000),
  afterMs: fc.constantFrom(1, 200, 400, 800, 2_000),
  leave: fc.integer({ min: 0, max: 3 }),
});

/** Two hits that fall into one moment, which hardly happens by itself. */
const photoFinish: fc.Arbitrary<World> = fc
  .tuple(anyWorld, script, script, fc.constantFrom(0, 200, 1_000))
  .map(([given, one, two, latency]) => {
    const both = { ends: "hit", skip: false, billed: false, timeLimitMs: 8_000 } as const;
    const better: Script = { ...one, ...both, provider: "a", latency: given.afterMs + latency };
    const worse: Script = { ...two, ...both, provider: "b", latency };
    return { ...given, scripts: [better, worse, ...given.scripts.slice(2)] };
  });

const world = fc.oneof({ weight: 5, arbitrary: anyWorld }, { weight: 1, arbitrary: photoFinish });

interface Played {
  readonly run: CascadeRun<string>;
  readonly calls: readonly Call[];
  readonly endedAt: number;
  readonly spent: number;
  readonly begun: number;
}

async function play({ scripts, deadlineMs, afterMs, leave }: World): Promise<Played> {
  const time = new VirtualTime();
  const calls: Call[] = [];
  let spent = 0;
  let begun = 0;
  const steps = scripts.map((each, index): Step<string> => ({
    name: `${index}`,
    provider: each.provider,
    timeLimitMs: each.timeLimitMs,
    ...(each.billed ? { billed: true } : {}),
    ...(each.skip ? { skip: "not configured" } : {}),
    run: (signal) => {
      const call: Call = { index, startedAt: time.now(), signal, endedAt: Infinity };
      calls.push(call);
      const end = () => (call.endedAt = Math.min(call.endedAt, time.now()));
      signal.addEventListener("abort", end);
      return new Promise((resolve, reject) => {
        if (each.obeysSignal) signal.addEventListener("abort", () => reject(new Error("ended")));
        if (each.latency === "never") return;
        time.after(each.latency, async () => {
          if (!signal.aborted) [call.answeredAt, call.answer] = [time.now(), answerOf(each, index)];
          end();
          for (let turn = 0; turn < each.turns; turn++) await undefined;
          if (each.ends === "throws") reject(new TypeError("broken"));
          else resolve(answerOf(each, index));
        });
      });
    },
  }));
  const deadline = time.deadline(deadlineMs);
  const hedging = {
    afterMs,
    begin: () => void begun++,
    spend: () => spent < leave && (spent++, true),
  };
  const run = await time.until(first(steps, { deadline, clock: time, timers: time, hedging }));
  return { run, calls, endedAt: time.now(), spent, begun };
}

function answerOf({ ends }: Script, index: number): Outcome<string> {
  if (ends === "hit") return { kind: "hit", results: [`result of ${index}`] };
  if (ends === "empty") return { kind: "empty" };
  return failed(ends === "throws" ? "malformed" : ends, "x");
}

/** Holds in 1,500 worlds; throws with the smallest one in which it does not. */
function always(holds: (played: Played, given: World) => void): Promise<void> {
  const property = fc.asyncProperty(world, async (given) => holds(await play(given), given));
  return fc.assert(property, { numRuns: 1_500 });
}

/** Calls that were open when `call` started; with `maybe` also those that ended in that very moment. */
function beside(call: Call, calls: readonly Call[], maybe: "maybe" | "surely"): Call[] {
  const before = calls.slice(0, calls.indexOf(call));
  return before.filter(({ endedAt }) => endedAt > call.startedAt || (maybe === "maybe" && endedAt === call.startedAt));
}

const isHit = ({ answer }: Call) => answer?.kind === "hit";

describe("for any pattern of latencies and outcomes a hedged cascade", () => {
  it("ends within its deadline, and each step within its own limit", () =>
    always(({ run, endedAt }, { scripts, deadlineMs }) => {
      expect(endedAt).toBeLessThanOrEqual(deadlineMs);
      for (const { provider, ms } of run.attempts)
        expect(ms).toBeLessThanOrEqual(scripts[Number(provider)]!.timeLimitMs);
    }));

  it("returns the best-placed hit that arrived, at the moment of the first", () =>
    always(({ run, calls, endedAt }) => {
      const arrived = calls.filter(isHit);
      const best = Math.min(...arrived.map(({ index }) => index));
      expect(run.hits).toEqual(arrived.length === 0 ? [] : [{ name: `${best}`, results: [`result of ${best}`] }]);
      expect(run.verdict === "hit").toBe(arrived.length > 0);
      if (arrived.length > 0) expect(endedAt).toBe(Math.min(...arrived.map(({ answeredAt }) => answeredAt!)));
    }));

  it("lets a better-placed hit of the same moment win", () =>
    always(({ run, calls, endedAt }, { scripts }) => {
      const winner = Number(run.hits[0]?.name ?? -1);
      for (const { index, startedAt } of calls) {
        const { latency, ends } = scripts[index]!;
        if (index >= winner || ends !== "hit" || latency === "never" || startedAt + latency !== endedAt) continue;
        // Its own time may have been over in that moment too.
        expect(run.attempts.find(({ provider }) => provider === `${index}`)?.class).toBe("timeout");
      }
    }));

  it("never starts a step twice, nor one that must not be called", () =>
    always(({ calls }, { scripts }) => {
      const started = calls.map(({ index }) => index);
      expect(started).toEqual([...new Set(started)]);
      expect(started.filter((index) => scripts[index]!.skip)).toEqual([]);
    }));

  it("aborts all losers, and records them as ended by whoever answered", () =>
    always(({ run, calls, endedAt }) => {
      const losers = calls.filter((call) => call.answeredAt === undefined);
      expect(losers.filter(({ signal }) => !signal.aborted)).toEqual([]);
      for (const { provider, class: failure, ms, detail } of run.attempts) {
        const loser = losers.find(({ index }) => `${index}` === provider);
        if (loser === undefined || failure !== "skipped") continue;
        expect(ms).toBe(endedAt - loser.startedAt);
        expect(detail).toMatch(/^ended: \d answered first$/);
      }
    }));

  it("never reports empty when something failed", () =>
    always(({ run, calls }, { scripts }) => {
      if (run.verdict !== "empty") return;
      const called = scripts.flatMap(({ skip }, index) => (skip ? [] : [index]));
      expect(calls.map(({ index }) => index).toSorted()).toEqual(called);
      expect(calls.every(({ answer }) => answer?.kind === "empty")).toBe(true);
    }));

  it("leaves nobody out who might have had something", () =>
    always(({ run }, { scripts }) => {
      if (run.verdict === "hit") return;
      expect(run.attempts.map(({ provider }) => provider)).toEqual(scripts.map((_, index) => `${index}`));
    }));

  it("records each call once, as hedged when it began beside another", () =>
    always(({ run, calls }) => {
      for (const call of calls) {
        const { hedged } = run.attempts.find(({ provider }) => provider === `${call.index}`) ?? {};
        if (beside(call, calls, "surely").length > 0) expect(hedged).toBe(true);
        if (beside(call, calls, "maybe").length === 0) expect(hedged).toBeUndefined();
      }
      const recorded = run.attempts.map(({ provider }) => provider);
      expect(recorded).toEqual([...new Set(recorded)].toSorted());
      expect(calls.filter(({ index }) => !recorded.includes(`${index}`))).toEqual([]);
    }));

  it("starts nobody beside a step that is not slow yet", () =>
    always(({ calls }, { afterMs }) => {
      for (const call of calls) {
        for (const other of beside(call, calls, "surely")) {
          expect(call.startedAt - other.startedAt).toBeGreaterThanOrEqual(afterMs);
        }
      }
    }));

  it("has three steps open at most, and never two of one provider", () =>
    always(({ calls }, { scripts }) => {
      for (const call of calls) {
        const others = beside(call, calls, "surely");
        expect(others.length).toBeLessThan(3);
        const providers = [call, ...others].map(({ index }) => scripts[index]!.provider);
        expect(providers).toEqual([...new Set(providers)]);
      }
    }));

  it("pays for hedges only with leave, and free ones need none", () =>
    always(({ run, spent, begun }, { scripts, leave }) => {
      const paid = run.attempts.filter(({ provider, hedged }) => hedged && scripts[Number(provider)]!.billed);
      expect(paid.length).toBe(spent);
      expect(spent).toBeLessThanOrEqual(leave);
      expect(begun).toBe(scripts.length > 1 ? 1 : 0);
    }));

  it("asks a free provider beside a slow one as soon as it is slow", () =>
    always(({ calls, endedAt }, given) => {
      const [one, two] = given.scripts;
      if (one === undefined || two === undefined) return;
      if (one.skip || two.skip || two.billed || one.provider === two.provider) return;
      // With some time to spare, so that no step is at the end of its share.
      if (given.deadlineMs < 25_000 || one.timeLimitMs < 8_000 || given.afterMs >= 8_000) return;
      if (one.latency !== "never" && one.latency <= given.afterMs) return;
      expect(calls[1]).toMatchObject({ index: 1, startedAt: given.afterMs });
      if (two.latency !== "never" && two.ends === "hit" && two.latency < two.timeLimitMs) {
        expect(endedAt).toBeLessThanOrEqual(given.afterMs + two.latency);
      }
    }));
});
