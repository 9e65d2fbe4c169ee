import { dayOf, dayStart } from "./utc-day.ts";

/** Calls to providers that one tenant made in one day. */
export interface DayUsage {
  /** Days since 1970-01-01 (UTC). */
  readonly day: number;
  readonly calls: number;
}

/**
 * What one isolate knows of a tenant's calls to providers: what the limiter last told, and what was made here since.
 * Isolates that work at the same time do not see each other's latest calls, so a budget can be overrun by as many calls
 * as are under way when it ends.
 */
export class UpstreamMeter {
  #day = 0;
  #told = 0;
  #unreported = 0;
  #toldUntil = 0;
  #reportEndsBy = 0;

  /** Takes what the limiter says; it holds for `lifeMs`. */
  learn(usage: DayUsage, now: number, lifeMs: number): void {
    this.#startDay(now);
    this.#toldUntil = now + lifeMs;
    if (usage.day === this.#day) this.#told = usage.calls;
  }

  isFresh(now: number): boolean {
    return now < this.#toldUntil;
  }

  /** Counts one call, or says why it must not be made. */
  spend(limit: number, now: number): string | undefined {
    this.#startDay(now);
    if (this.#told + this.#unreported >= limit) {
      const reset = new Date(dayStart(this.#day + 1)).toISOString();
      return `the tenant's ${limit} provider calls of this day are used up until ${reset}`;
    }
    this.#unreported += 1;
    return undefined;
  }

  /** Whether a report may begin: none is under way, or one that has had its `limitMs`. */
  beginReport(now: number, limitMs: number): boolean {
    if (now < this.#reportEndsBy) return false;
    this.#reportEndsBy = now + limitMs;
    return true;
  }

  endReport(): void {
    this.#reportEndsBy = 0;
  }

  /** What the limiter has not heard of yet; from now on it counts as told. */
  collect(): DayUsage | undefined {
    if (this.#unreported === 0) return undefined;
    const usage = { day: this.#day, calls: this.#unreported };
    this.#told += this.#unreported;
    this.#unreported = 0;
    return usage;
  }

  /** Takes back what `collect` gave, because the limiter could not be told. */
  restore(usage: DayUsage): void {
    if (usage.day !== this.#day) return;
    this.#told = Math.max(0, this.#told - usage.calls);
    this.#unreported += usage.calls;
  }

  #startDay(now: number): void {
    const day = dayOf(now);
    if (day === this.#day) return;
    this.#day = day;
    this.#told = 0;
    this.#unreported = 0;
  }
}
