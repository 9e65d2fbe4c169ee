export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** One request's time: every step shares it, and nothing starts when it is over. */
export interface Deadline {
  /** Aborts when the time is over or the caller has left. */
  readonly signal: AbortSignal;
  remainingMs(): number;
}

/** `ms` from now; `caller` ends it earlier. */
export function deadlineIn(ms: number, clock: Clock, caller?: AbortSignal): Deadline {
  const end = clock.now() + ms;
  const timer = AbortSignal.timeout(Math.round(ms));
  return {
    signal: caller === undefined ? timer : AbortSignal.any([timer, caller]),
    remainingMs: () => Math.max(0, end - clock.now()),
  };
}

/** The part of `deadline` that leaves `reserveMs` to whoever comes after. */
export function earlier(deadline: Deadline, reserveMs: number, clock: Clock): Deadline {
  return deadlineIn(Math.max(1, deadline.remainingMs() - reserveMs), clock, deadline.signal);
}
