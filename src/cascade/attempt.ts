import type { FailureClass, Outcome } from "./outcome.ts";

/** What happened at one step, as callers, logs and `Server-Timing` get it. Holds no secret and no upstream text. */
export interface Attempt {
  readonly provider: string;
  readonly outcome: "hit" | "empty" | "failed";
  /** Only with `failed`. */
  readonly class?: FailureClass;
  /** Only with `failed`; our own words. */
  readonly detail?: string;
  readonly status?: number;
  readonly retry_after_ms?: number;
  readonly ms: number;
  readonly cached: boolean;
  /** How many results the step gave. */
  readonly kept: number;
}

export function toAttempt(provider: string, outcome: Outcome<unknown>, ms: number, cached: boolean): Attempt {
  const base = { provider, outcome: outcome.kind, ms: Math.round(ms), cached };
  if (outcome.kind === "hit") return { ...base, kept: outcome.results.length };
  if (outcome.kind === "empty") return { ...base, kept: 0 };
  return {
    ...base,
    class: outcome.class,
    detail: outcome.detail,
    ...(outcome.status === undefined ? {} : { status: outcome.status }),
    ...(outcome.retryAfterMs === undefined ? {} : { retry_after_ms: outcome.retryAfterMs }),
    kept: 0,
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
