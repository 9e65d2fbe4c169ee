import type { Attempt } from "./attempt.ts";
import type { Clock, Deadline } from "./deadline.ts";
import { ALWAYS_WELL, type Health, type Suspension } from "./health.ts";
import type { Hedging } from "./hedging.ts";
import { failed, type Failed, isKept, type Outcome } from "./outcome.ts";
import { SYSTEM_TIMERS, type Timers } from "./timers.ts";

/** One provider call that a cascade may make. */
export interface Step<T> {
  /** Provider id, with `#2` and so on for its further keys: names the step in records and in health. */
  readonly name: string;
  /** Steps of one provider are never hedged into each other; missing: the step has its provider for itself. */
  readonly provider?: string;
  /** A call costs money or a unit of a plan, whether its answer is used or not. */
  readonly billed?: true;
  /** Makes several calls, so that its time says nothing of how fast the provider answers. */
  readonly several?: true;
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
  readonly timers?: Timers;
  readonly health?: Health;
  /** Missing: no step is hedged. */
  readonly hedging?: Hedging;
  /** Told each attempt as it ends, for whoever watches; the record at the end has them all, in order. */
  onAttempt?(attempt: Attempt): void;
}

export interface StepEnd<T> {
  readonly outcome: Outcome<T>;
  readonly ms: number;
}

/** Below this there is no sense in calling anyone. */
const SHORTEST_CALL_MS = 50;

/** Why a step must not be started now; undefined when it may be. */
export function reasonToSkip(
  step: Step<unknown>,
  { clock, deadline, health = ALWAYS_WELL }: CascadeContext,
): Failed | undefined {
  if (step.skip !== undefined) return failed("skipped", step.skip);
  const suspension = health.suspension(step.name);
  if (suspension !== undefined) return suspended(suspension, clock);
  return deadline.remainingMs() < SHORTEST_CALL_MS ? failed("timeout", "no time was left for it") : undefined;
}

/** Runs one step within its share of the time, `reserveMs` of which belong to those behind it. Never rejects. */
export async function runStep<T>(
  step: Step<T>,
  reserveMs: number,
  losers: AbortSignal,
  context: CascadeContext,
): Promise<StepEnd<T>> {
  const { clock, deadline, timers = SYSTEM_TIMERS, health } = context;
  const started = clock.now();
  const remaining = deadline.remainingMs();
  // A quarter of the time is always a step's own, however many come after it.
  const share = Math.max(remaining - reserveMs, remaining / 4, SHORTEST_CALL_MS);
  const limit = Math.round(Math.min(step.timeLimitMs, share));
  const limitOver = new AbortController();
  const stopTimer = timers.after(limit, () => limitOver.abort());
  const signal = AbortSignal.any([limitOver.signal, losers, deadline.signal]);
  const outcome = await Promise.race([attemptOf(step, signal, limit, context), ended(signal, limit)]);
  stopTimer();
  const ms = clock.now() - started;
  // Whoever lost to another was not too slow for its own limit; and what was kept was not asked for.
  if (losers.aborted || isKept(outcome)) health?.release?.(step.name);
  else {
    health?.report(step.name, outcome, ms);
    if (step.several !== true && isAnswer(outcome)) health?.noteLatency?.(step.name, ms);
  }
  return { outcome, ms };
}

async function attemptOf<T>(
  step: Step<T>,
  signal: AbortSignal,
  limitMs: number,
  { clock, health }: CascadeContext,
): Promise<Outcome<T>> {
  try {
    const claim = health?.claim?.(step.name, limitMs);
    const taken = claim === undefined ? undefined : await claim;
    if (taken !== undefined) return suspended(taken, clock);
    if (signal.aborted) {
      health?.release?.(step.name);
      return lateAfter(limitMs);
    }
    return await step.run(signal);
  } catch (error) {
    // The message may quote what came from upstream, so only the error's name is told.
    return failed("malformed", `reading the answer failed (${error instanceof Error ? error.name : "unknown error"})`);
  }
}

/** A step that ignores its signal must not hold up the cascade. */
function ended(signal: AbortSignal, limitMs: number): Promise<Outcome<never>> {
  const outcome = lateAfter(limitMs);
  if (signal.aborted) return Promise.resolve(outcome);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(outcome), { once: true }));
}

function lateAfter(limitMs: number): Failed {
  return failed("timeout", `no answer within ${limitMs} ms`);
}

/** With a waiting time it counts as one that could not be asked. */
function suspended({ reason, until }: Suspension, clock: Clock): Failed {
  return failed("skipped", reason, { retryAfterMs: Math.max(0, until - clock.now()) });
}

function isAnswer(outcome: Outcome<unknown>): boolean {
  return outcome.kind === "empty" || (outcome.kind === "hit" && outcome.endedBy === undefined);
}
