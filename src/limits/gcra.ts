/** A rate as one number: the generic cell rate algorithm, which needs no list of past requests. */

export interface RateLimit {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Milliseconds after which one more may come. */
  readonly intervalMs: number;
}

export interface RateDecision {
  /** How many of the wanted are granted; 0 is a refusal. */
  readonly granted: number;
  /** Theoretical arrival time (epoch ms) to be stored for the next decision. */
  readonly arrival: number;
  /** Requests that could come right after this one. */
  readonly remaining: number;
  /** Milliseconds until a refused one could come; 0 when granted. */
  readonly retryAfterMs: number;
  /** Milliseconds until the full burst is there again. */
  readonly resetMs: number;
}

/** Grants up to `wanted` requests at once. `arrival` is what the last decision returned, 0 at first. */
export function decide(limit: RateLimit, arrival: number, wanted: number, now: number): RateDecision {
  const base = Math.max(arrival, now);
  const available = Math.floor(limit.burst - (base - now) / limit.intervalMs);
  const granted = Math.max(0, Math.min(wanted, available));
  const next = base + granted * limit.intervalMs;
  const remaining = Math.max(0, Math.floor(limit.burst - (next - now) / limit.intervalMs));
  const retryAfterMs = granted > 0 ? 0 : Math.max(0, base - now - (limit.burst - 1) * limit.intervalMs);
  return { granted, arrival: next, remaining, retryAfterMs, resetMs: next - now };
}
