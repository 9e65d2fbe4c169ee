import { type Attempt, toAttempt } from "./attempt.ts";
import type { Clock, Deadline } from "./deadline.ts";
import { ALWAYS_WELL, type Health } from "./health.ts";
import { failed, type Failed, type Outcome } from "./outcome.ts";

/** One provider call that a cascade may make. */
export interface Step<T> {
  /** Provider id, with `#2` and so on for its further keys: names the step in records and in health. */
  readonly name: string;
  /** Upper bound in milliseconds. A deadline that is nearer wins. */
  readonly timeLimitMs: number;
  /** Set when the step must not be called; says why. */
  readonly skip?: string;
  /** Must end what it does upstream when `signal` aborts. */
  run(signal: AbortSignal): Promise<Outcome<T>>;
}

export interface CascadeContext {
  readonly deadline: Deadline;
  readonly clock: Clock;
  readonly health?: Health;
  /** Told each attempt as it ends, for whoever watches; the record at the end has them all, in order. */
  onAttempt?(attempt: Attempt): void;
}

/** How far to go. The three ways to run steps differ in nothing else. */
export interface Policy<T> {
  /** Steps that may run at the same time. */
  readonly concurrency: number;
  /** No further step starts, and running ones are aborted, once this is true of all results so far. */
  enough(results: readonly T[]): boolean;
  /**
   * Number of the group that the step at an index belongs to, never falling. A group starts when those before it have
   * ended. Missing: one group of all, or with a concurrency of 1 every step for itself.
   */
  group?(index: number): number;
  /** Lets running steps end once there is enough, and records those that were never started as skipped. */
  readonly settle?: true;
}

export interface CascadeRun<T> {
  /** Per step that hit, in the order of the steps, whatever order they ended in. */
  readonly hits: readonly { readonly name: string; readonly results: readonly T[] }[];
  /** In the order of the steps. */
  readonly attempts: readonly Attempt[];
  readonly verdict: Verdict;
}

/**
 * - `hit`: at least one result
 * - `empty`: every step that was called answered, and none has anything
 * - `inconclusive`: nothing found, but not every step answered
 * - `failed`: no step answered
 */
export type Verdict = "hit" | "empty" | "inconclusive" | "failed";

/** What each later step keeps of the deadline, so that slow first steps cannot starve the rest. */
const RESERVE_MS = 1_500;
/** Below this there is no sense in calling anyone. */
const SHORTEST_CALL_MS = 50;

/** In order; stops at the first hit. */
export function first<T>(steps: readonly Step<T>[], context: CascadeContext): Promise<CascadeRun<T>> {
  return runCascade(steps, { concurrency: 1, enough: (results) => results.length > 0 }, context);
}

/** All of them, at most `concurrency` at a time; nothing is stopped. */
export function gather<T>(steps: readonly Step<T>[], context: CascadeContext, concurrency = 4): Promise<CascadeRun<T>> {
  return runCascade(steps, { concurrency, enough: () => false }, context);
}

/**
 * Group after group, each in parallel, keeping all that comes; groups that are left once `enough` is true of what came
 * so far are recorded as skipped.
 */
export function additive<T>(
  groups: readonly (readonly Step<T>[])[],
  enough: (results: readonly T[]) => boolean,
  context: CascadeContext,
): Promise<CascadeRun<T>> {
  const groupOf = groups.flatMap((group, number) => group.map(() => number));
  const concurrency = Math.max(1, ...groups.map((group) => group.length));
  return runCascade(
    groups.flat(),
    { concurrency, enough, group: (index) => groupOf[index] ?? groups.length, settle: true },
    context,
  );
}

/** Runs steps under a policy. Never throws: whatever a step does becomes an outcome in the record. */
export async function runCascade<T>(
  steps: readonly Step<T>[],
  policy: Policy<T>,
  context: CascadeContext,
): Promise<CascadeRun<T>> {
  const losers = new AbortController();
  const ends: (StepEnd<T> | undefined)[] = steps.map(() => undefined);
  const running = new Map<number, Promise<void>>();
  const group = policy.group ?? ((index: number) => (policy.concurrency === 1 ? index : 0));
  let next = 0;
  let runningGroup = -1;

  const close = (index: number, { outcome, ms }: StepEnd<T>) => {
    ends[index] = { outcome, ms };
    context.onAttempt?.(toAttempt(steps[index]!.name, outcome, ms, false));
  };
  const enough = () => policy.enough(ends.flatMap((end) => (end?.outcome.kind === "hit" ? end.outcome.results : [])));
  const hasRoom = () => running.size === 0 || (running.size < policy.concurrency && group(next) === runningGroup);

  const startMore = () => {
    while (next < steps.length && hasRoom()) {
      const index = next++;
      const step = steps[index]!;
      const skip = reasonToSkip(step, context);
      if (skip !== undefined) {
        close(index, { outcome: skip, ms: 0 });
        continue;
      }
      runningGroup = group(index);
      const laterGroups = steps.flatMap((later, place) =>
        group(place) > runningGroup && reasonToSkip(later, context) === undefined ? [group(place)] : [],
      );
      // Those of one group wait for nobody, so time is kept back for other groups only.
      const reserve = new Set(laterGroups).size * RESERVE_MS;
      running.set(
        index,
        (async () => {
          const result = await runStep(step, reserve, losers.signal, context);
          if (losers.signal.aborted) return;
          close(index, result);
          running.delete(index);
        })(),
      );
    }
  };

  for (;;) {
    const done = enough();
    if (done && policy.settle !== true) break;
    if (!done) startMore();
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  losers.abort(new DOMException("another step was enough", "AbortError"));
  for (const index of running.keys()) {
    close(index, { outcome: failed("skipped", "ended: what others gave was enough"), ms: 0 });
  }
  if (policy.settle === true) {
    for (let index = next; index < steps.length; index++) {
      close(index, { outcome: failed("skipped", "not needed: what others gave was enough"), ms: 0 });
    }
  }

  const attempts: Attempt[] = [];
  const hits: { name: string; results: readonly T[] }[] = [];
  for (const [index, step] of steps.entries()) {
    const end = ends[index];
    if (end === undefined) continue;
    attempts.push(toAttempt(step.name, end.outcome, end.ms, false));
    if (end.outcome.kind === "hit") hits.push({ name: step.name, results: end.outcome.results });
  }
  return { hits, attempts, verdict: verdictOf(attempts) };
}

export function verdictOf(attempts: readonly Attempt[]): Verdict {
  if (attempts.some((attempt) => attempt.outcome === "hit")) return "hit";
  const called = attempts.filter(wasWanted);
  const answered = called.filter((attempt) => attempt.outcome === "empty").length;
  if (answered === 0) return "failed";
  return answered === called.length ? "empty" : "inconclusive";
}

/** Whether a step counts: one that is only suspended might have had something, one without a key might not. */
export function wasWanted(attempt: Attempt): boolean {
  return attempt.class !== "skipped" || attempt.retry_after_ms !== undefined;
}

interface StepEnd<T> {
  readonly outcome: Outcome<T>;
  readonly ms: number;
}

function reasonToSkip(
  step: Step<unknown>,
  { clock, deadline, health = ALWAYS_WELL }: CascadeContext,
): Failed | undefined {
  if (step.skip !== undefined) return failed("skipped", step.skip);
  const suspension = health.suspension(step.name);
  if (suspension !== undefined) {
    return failed("skipped", suspension.reason, { retryAfterMs: Math.max(0, suspension.until - clock.now()) });
  }
  return deadline.remainingMs() < SHORTEST_CALL_MS ? failed("timeout", "no time was left for it") : undefined;
}

async function runStep<T>(
  step: Step<T>,
  reserveMs: number,
  losers: AbortSignal,
  context: CascadeContext,
): Promise<StepEnd<T>> {
  const started = context.clock.now();
  const remaining = context.deadline.remainingMs();
  // A quarter of the time is always a step's own, however many come after it.
  const share = Math.max(remaining - reserveMs, remaining / 4, SHORTEST_CALL_MS);
  const limit = Math.round(Math.min(step.timeLimitMs, share));
  const limitSignal = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([limitSignal, losers, context.deadline.signal]);
  const outcome = await Promise.race([attemptOf(step, signal), ended(signal, limit)]);
  const ms = context.clock.now() - started;
  if (!losers.aborted) context.health?.report(step.name, outcome, ms);
  return { outcome, ms };
}

async function attemptOf<T>(step: Step<T>, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    return await step.run(signal);
  } catch (error) {
    // The message may quote what came from upstream, so only the error's name is told.
    return failed("malformed", `reading the answer failed (${error instanceof Error ? error.name : "unknown error"})`);
  }
}

/** A step that ignores its signal must not hold up the cascade. */
function ended(signal: AbortSignal, limitMs: number): Promise<Outcome<never>> {
  const outcome = failed("timeout", `no answer within ${limitMs} ms`);
  if (signal.aborted) return Promise.resolve(outcome);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(outcome), { once: true }));
}
