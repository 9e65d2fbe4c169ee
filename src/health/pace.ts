import type { Clock } from "../cascade/deadline.ts";
import type { Pace, Release } from "../providers/pace.ts";
import { slotRetryMs } from "./slots.ts";
import { withinMs } from "../cascade/within.ts";

/** What pacing needs of the provider-health object. */
export interface SlotStore {
  /** The id of a lease; without one all slots are taken. */
  acquireSlot(provider: string, slots: number, now: number): Promise<{ readonly lease?: string }>;
  releaseSlot(lease: string): Promise<void>;
}

export interface PaceOptions {
  readonly store: SlotStore;
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  waitUntil(work: Promise<unknown>): void;
}

/** A slot is waited for no longer than this. */
const LONGEST_WAIT_MS = 2_000;
const STORE_LIMIT_MS = 1_000;

const NOTHING_TO_RELEASE: Release = () => {};

/**
 * Lets calls to a paced provider through while it has a slot. A store that cannot be reached lets everybody through;
 * the provider's own refusals still count.
 */
export function paceWith(options: PaceOptions): Pace {
  const { store, clock, random, waitUntil } = options;
  return async (provider, slots, signal) => {
    const end = clock.now() + LONGEST_WAIT_MS;
    for (let tries = 0; !signal.aborted; tries++) {
      const answer = await withinMs(STORE_LIMIT_MS, () => store.acquireSlot(provider, slots, clock.now()));
      if (answer === undefined) return NOTHING_TO_RELEASE;
      const { lease } = answer;
      if (lease !== undefined) return () => waitUntil(withinMs(STORE_LIMIT_MS, () => store.releaseSlot(lease)));
      const wait = slotRetryMs(tries, random());
      if (clock.now() + wait > end) return undefined;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return undefined;
  };
}
