/** Slots for paced providers: how many calls may be under way at once, over all tenants and batches. */

export interface SlotLease {
  readonly id: string;
  readonly provider: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Longer than any call to a paced provider may take: a Worker that died gives its slot back by this. */
export const LEASE_MS = 20_000;

/** Another lease for `provider`, or undefined when its `slots` are all taken. `leases` may hold those of others. */
export function leaseSlot(
  leases: readonly SlotLease[],
  provider: string,
  slots: number,
  id: string,
  now: number,
): SlotLease | undefined {
  const taken = leases.filter((lease) => lease.provider === provider && lease.expiresAt > now).length;
  return taken < slots ? { id, provider, expiresAt: now + LEASE_MS } : undefined;
}

/** Waits between tries, milliseconds: short at first, and not in step with others. `random` in [0, 1). */
export function slotRetryMs(tries: number, random: number): number {
  return Math.round(Math.min(200, 25 * 2 ** Math.min(tries, 5)) * (0.75 + random / 2));
}
