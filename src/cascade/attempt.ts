import { type Failed, type FailureClass, isKept, type Outcome } from "./outcome.ts";

/** What happened at one step, as callers, logs and `Server-Timing` get it. Holds no secret and no upstream text. */
export interface Attempt {
  readonly provider: string;
  readonly outcome: "hit" | "empty" | "failed";
  /** Of what failed; with `hit`, of the failure that cut the step short. */
  readonly class?: FailureClass;
  /** In our own words. */
  readonly detail?: string;
  readonly status?: number;
  readonly retry_after_ms?: number;
  readonly ms: number;
  readonly cached: boolean;
  /** Started beside a step that was slow, not behind one that had ended. */
  readonly hedged?: true;
  /** How many results the step gave. */
  readonly kept: number;
}

export function toAttempt(
  provider: string,
  outcome: Outcome<unknown>,
  ms: number,
  cached: boolean,
  hedged = false,
): Attempt {
  const base = {
    provider,
    outcome: outcome.kind,
    ms: Math.round(ms),
    cached: cached || isKept(outcome),
    ...(hedged ? { hedged } : {}),
  };
  if (outcome.kind === "empty") return { ...base, kept: 0 };
  if (outcome.kind === "failed") return { ...base, ...described(outcome), kept: 0 };
  return {
    ...base,
    ...(outcome.endedBy === undefined ? {} : described(outcome.endedBy)),
    kept: outcome.results.length,
  };
}

function described(failure: Failed): Pick<Attempt, "class" | "detail" | "status" | "retry_after_ms"> {
  return {
    class: failure.class,
    detail: failure.detail,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retry_after_ms: failure.retryAfterMs }),
  };
}

/** The `Server-Timing` header of a record: one metric a step, in order (W3C Server Timing). */
export function serverTiming(attempts: readonly Attempt[]): string {
  return attempts
    .map((attempt) => {
      const word = attempt.class ?? attempt.outcome;
      return `${attempt.provider.replaceAll(/[^\w-]/g, "-")};dur=${attempt.ms};desc="${word}"`;
    })
    .join(", ");
}
