import { DurableObject } from "cloudflare:workers";
import { decide, type RateDecision, type RateLimit } from "../src/limits/gcra.ts";
import type { DayUsage } from "../src/limits/upstream-meter.ts";
import { dayOf } from "../src/limits/utc-day.ts";

/** A block of requests that an isolate would like to let through. */
export interface BlockRequest {
  /** Digest of the key: each key of a tenant has its own rate. */
  readonly key: string;
  readonly limit: RateLimit;
  readonly wanted: number;
}

export interface LimiterAnswer {
  /** Only where a block was asked for. */
  readonly decision?: RateDecision;
  /** Of the whole tenant. */
  readonly usage: DayUsage;
}

/**
 * One tenant's limits: the arrival time of each key's rate, and the calls to providers of the day (UTC). It decides,
 * isolates only spend what it gave them.
 */
export class RateLimiterObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec("CREATE TABLE IF NOT EXISTS arrivals (key TEXT PRIMARY KEY, at REAL NOT NULL)");
    this.#sql.exec("CREATE TABLE IF NOT EXISTS usage (day INTEGER PRIMARY KEY, calls INTEGER NOT NULL)");
  }

  /** Grants what it can of `block` and tells the day's usage. `now` is epoch milliseconds. */
  lease(block: BlockRequest | undefined, now: number): LimiterAnswer {
    const usage = this.#usage(dayOf(now));
    return block === undefined ? { usage } : { decision: this.#grant(block, now), usage };
  }

  /** Adds calls that were made; those of a day that is over are dropped. */
  addCalls({ day, calls }: DayUsage, now: number): DayUsage {
    if (day === dayOf(now)) {
      this.#sql.exec("DELETE FROM usage WHERE day < ?", day);
      this.#sql.exec(
        "INSERT INTO usage (day, calls) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET calls = calls + excluded.calls",
        day,
        calls,
      );
    }
    return this.#usage(dayOf(now));
  }

  #grant({ key, limit, wanted }: BlockRequest, now: number): RateDecision {
    const [row] = this.#sql.exec<{ at: number }>("SELECT at FROM arrivals WHERE key = ?", key).toArray();
    const decision = decide(limit, row?.at ?? 0, wanted, now);
    if (decision.granted > 0) {
      // An arrival that has passed says nothing any more: this also forgets keys that were removed.
      this.#sql.exec("DELETE FROM arrivals WHERE at <= ? AND key <> ?", now, key);
      this.#sql.exec("INSERT OR REPLACE INTO arrivals (key, at) VALUES (?, ?)", key, decision.arrival);
    }
    return decision;
  }

  #usage(day: number): DayUsage {
    const [row] = this.#sql.exec<{ calls: number }>("SELECT calls FROM usage WHERE day = ?", day).toArray();
    return { day, calls: row?.calls ?? 0 };
  }
}
