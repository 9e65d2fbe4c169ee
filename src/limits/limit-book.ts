import type { ApiKey } from "../config.ts";
import type { RateLimit } from "./gcra.ts";
import type { Lease } from "./lease.ts";
import { UpstreamMeter } from "./upstream-meter.ts";

const MINUTE_MS = 60_000;
const MANY_LEASES = 1_000;

/** The rate of a key; undefined where it has none. */
export function rateLimitOf(limits: ApiKey["limits"]): RateLimit | undefined {
  if (limits.per_minute === undefined) return undefined;
  return { burst: limits.burst ?? limits.per_minute, intervalMs: MINUTE_MS / limits.per_minute };
}

/** What a tenant's batches may call in a day: as much as its most generous key; undefined where one has no limit. */
export function dailyBudgetOf(apiKeys: readonly ApiKey[], tenant: string): number | undefined {
  const budgets = apiKeys
    .filter((key) => key.tenant === tenant)
    .map(({ limits }) => limits.upstream_per_day ?? Infinity);
  const largest = Math.max(0, ...budgets);
  return budgets.length === 0 || largest === Infinity ? undefined : largest;
}

/**
 * What one isolate holds of everybody's limits: counts and times only, so requests may share it. It has at most one
 * entry for every configured key and tenant, and for every link that was lately used.
 */
export class LimitBook {
  /** By the key's digest. */
  readonly leases = new Map<string, Lease>();
  readonly #meters = new Map<string, UpstreamMeter>();
  readonly #silentUntil = new Map<string, number>();

  meterOf(tenant: string): UpstreamMeter {
    const known = this.#meters.get(tenant);
    if (known !== undefined) return known;
    const meter = new UpstreamMeter();
    this.#meters.set(tenant, meter);
    return meter;
  }

  /** Drops leases that say nothing any more: links come and go, and each has its own. */
  forgetPast(now: number): void {
    if (this.leases.size < MANY_LEASES) return;
    for (const [key, { expiresAt, arrival }] of this.leases) {
      if (expiresAt <= now && arrival <= now) this.leases.delete(key);
    }
  }

  /** A limiter that did not answer is not asked again for `ms`: each try would cost a caller its time limit. */
  noteSilence(tenant: string, now: number, ms: number): void {
    this.#silentUntil.set(tenant, now + ms);
  }

  isSilent(tenant: string, now: number): boolean {
    return now < (this.#silentUntil.get(tenant) ?? 0);
  }
}
