/** A rate as one number: the generic cell rate algorithm (ATM Forum TM 4.0), which needs no list of past requests. */

export interface RateLimit {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Milliseconds after which one more may come. */
  readonly intervalMs: number;
}

/** How a limit stands at one moment. */
export interface Standing {
  /** Requests that could come now. */
  readonly remaining: number;
  /** Milliseconds until one more than `remaining` could come; 0 when the full burst is there. */
  readonly nextMs: number;
}

export interface RateDecision {
  /** How many of the wanted are granted; 0 is a refusal. */
  readonly granted: number;
  /** Theoretical arrival time (epoch ms) to be stored for the next decision. */
  readonly arrival: number;
}

/** Epoch milliseconds leave a double about this share of an interval for rounding. */
const ROUNDING = 1e-6;

/** `arrival` is what the last decision returned, 0 at first; `now` is epoch milliseconds. */
export function standing(limit: RateLimit, arrival: number, now: number): Standing {
  const debtMs = Math.max(0, arrival - now);
  const remaining = Math.max(0, Math.floor(limit.burst - debtMs / limit.intervalMs + ROUNDING));
  const nextMs = debtMs === 0 ? 0 : debtMs - (limit.burst - remaining - 1) * limit.intervalMs;
  return { remaining, nextMs: Math.max(0, nextMs) };
}

/** Grants up to `wanted` requests at once. */
export function decide(limit: RateLimit, arrival: number, wanted: number, now: number): RateDecision {
  const granted = Math.min(wanted, standing(limit, arrival, now).remaining);
  return { granted, arrival: Math.max(arrival, now) + granted * limit.intervalMs };
}
