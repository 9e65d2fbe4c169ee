/** When a delivery is tried again, and what a receiver's answer means (standardwebhooks.com, "Deliverability"). */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits behind the first try, the second and so on: eight tries within about 28 hours. */
const WAITS_MS: readonly number[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

/** A receiver may slow us down, but not so far that its events are as good as lost. */
const LONGEST_RETRY_AFTER_MS = 10 * HOUR;

/** Part of a wait that chance takes away or adds, so that receivers do not get all repeats in one instant. */
const JITTER = 0.1;

/** What one try came to: the receiver has it, should get it again, or wants nothing more. */
export type Verdict = "delivered" | "retry" | "gone";

/**
 * What an HTTP status means. A redirect is a failure, as the standard has it: following it would carry signed events to
 * an address that nobody configured.
 */
export function verdictOf(httpStatus: number): Verdict {
  if (httpStatus >= 200 && httpStatus < 300) return "delivered";
  return httpStatus === 410 ? "gone" : "retry";
}

/**
 * Milliseconds to wait behind the `tries`-th failed try (from 1), or undefined when there is none left. `random` lies
 * in [0, 1). `retryAfterMs`, the receiver's own wish, can make the wait longer, never shorter.
 */
export function waitBeforeNextTry(tries: number, random: number, retryAfterMs?: number): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  const jittered = Math.round(wait * (1 + JITTER * (2 * random - 1)));
  return Math.max(jittered, boundedRetryAfter(retryAfterMs));
}

/** Milliseconds for which a `Retry-After` is honored; 0 where there is none. */
export function boundedRetryAfter(retryAfterMs: number | undefined): number {
  return Math.min(Math.max(retryAfterMs ?? 0, 0), LONGEST_RETRY_AFTER_MS);
}
