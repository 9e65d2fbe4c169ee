import type { Clock, Deadline } from "../cascade/deadline.ts";

/**
 * Searches that are under way in this isolate, so that the same one is not made twice at a time. Promises of plain data
 * only, so requests may share them.
 */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  /** One that can still end in time. */
  underWay(key: string, now: number): Flight | undefined {
    const flight = this.#flights.get(key);
    // Its request may have been ended from outside, and then nobody ends the promise.
    return flight !== undefined && now < flight.endsAt ? flight : undefined;
  }

  begin(key: string, flight: Flight): void {
    this.#flights.set(key, flight);
  }

  end(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

export interface Flight {
  /** JSON of what was found, undefined when it cannot be shared. Never rejects. */
  readonly result: Promise<string | undefined>;
  /** Epoch milliseconds after which nobody waits for it. */
  readonly endsAt: number;
  /** Requests that wait for it beside its own. */
  followers: number;
}

/** Left to a follower whose leader gives nothing. */
const OWN_MS = 8_000;

/** What a flight brought, waited for no longer than leaves a follower time of its own. */
export async function followed(flight: Flight, deadline: Deadline): Promise<string | undefined> {
  const remaining = deadline.remainingMs();
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), Math.max(remaining - OWN_MS, remaining / 2));
  const left = () => late.resolve(undefined);
  deadline.signal.addEventListener("abort", left, { once: true });
  flight.followers += 1;
  try {
    return await Promise.race([flight.result, late.promise]);
  } finally {
    flight.followers -= 1;
    clearTimeout(timer);
    deadline.signal.removeEventListener("abort", left);
  }
}

/**
 * A leader's deadline: a caller who leaves ends the search only when nobody else waits for it. Its time limit stays.
 */
export function sharedDeadline(deadline: Deadline, isWanted: () => boolean, clock: Clock): Deadline & { stop(): void } {
  const end = clock.now() + deadline.remainingMs();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), deadline.remainingMs());
  const left = () => {
    if (!isWanted()) over.abort();
  };
  deadline.signal.addEventListener("abort", left, { once: true });
  return {
    signal: over.signal,
    remainingMs: () => Math.max(0, end - clock.now()),
    stop: () => {
      clearTimeout(timer);
      deadline.signal.removeEventListener("abort", left);
    },
  };
}
