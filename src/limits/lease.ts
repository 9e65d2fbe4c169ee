import { type RateDecision, type RateLimit, type Standing, standing } from "./gcra.ts";

/** Requests that one isolate may let through without asking the tenant's limiter again. */
export interface Lease {
  /** Granted and not yet used. */
  readonly left: number;
  /** How many were asked for when it was granted. */
  readonly size: number;
  /** Theoretical arrival time (epoch ms) as the limiter last told it; others can only have moved it later. */
  readonly arrival: number;
  /** Epoch milliseconds. What is left then is lost, so that an idle isolate cannot save up a burst. */
  readonly expiresAt: number;
}

/**
 * - `granted`: one of the lease was used; `lease` is what remains of it
 * - `refused`: the limiter would refuse, too
 * - `ask`: only the limiter knows; ask it for `wanted`
 */
export type Taken =
  | { readonly kind: "granted"; readonly lease: Lease }
  | { readonly kind: "refused"; readonly retryAfterMs: number }
  | { readonly kind: "ask"; readonly wanted: number };

export const LEASE_MS = 2_000;
/** No isolate holds more than this share of the burst, nor more than `LARGEST_BLOCK`. */
const BLOCK_SHARE = 0.1;
const LARGEST_BLOCK = 10;

/** What a request may do on the strength of the lease alone. */
export function take(lease: Lease | undefined, limit: RateLimit, now: number): Taken {
  if (lease === undefined) return { kind: "ask", wanted: 1 };
  if (lease.left > 0 && now < lease.expiresAt) return { kind: "granted", lease: { ...lease, left: lease.left - 1 } };
  const { remaining, nextMs } = standing(limit, lease.arrival, now);
  if (remaining === 0) return { kind: "refused", retryAfterMs: nextMs };
  return { kind: "ask", wanted: nextSize(lease, limit, now) };
}

/** The lease that a decision of the limiter makes, together with what is left of the one before. */
export function leaseFrom(decision: RateDecision, wanted: number, before: Lease | undefined, now: number): Lease {
  const kept = before !== undefined && now < before.expiresAt ? before.left : 0;
  return {
    left: kept + decision.granted,
    size: wanted,
    arrival: Math.max(decision.arrival, before?.arrival ?? 0),
    expiresAt: now + LEASE_MS,
  };
}

/** What a caller is told: what the isolate holds counts as still there. */
export function leaseStanding(lease: Lease, limit: RateLimit, now: number): Standing {
  const { remaining, nextMs } = standing(limit, lease.arrival, now);
  const held = now < lease.expiresAt ? lease.left : 0;
  return { remaining: Math.min(limit.burst, remaining + held), nextMs };
}

/** Grows while blocks are used up, so that a slow caller loses nothing to expiry and a busy one asks seldom. */
function nextSize(lease: Lease, limit: RateLimit, now: number): number {
  const usedUp = lease.left === 0 && now < lease.expiresAt;
  const largest = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(limit.burst * BLOCK_SHARE)));
  return usedUp ? Math.min(largest, lease.size * 2) : 1;
}
