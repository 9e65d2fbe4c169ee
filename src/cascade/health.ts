import type { Outcome } from "./outcome.ts";

/** Why a provider must not be called now. */
export interface Suspension {
  /** In our own words. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** All that the engine knows of provider health. `step` is the step's name, so each key has its own. */
export interface Health {
  suspension(step: string): Suspension | undefined;
  report(step: string, outcome: Outcome<unknown>, ms: number): void;
}

/** Every provider is well. */
export const ALWAYS_WELL: Health = { suspension: () => undefined, report: () => {} };
