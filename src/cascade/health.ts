import type { Outcome } from "./outcome.ts";

/** Why a provider must not be called now. */
export interface Suspension {
  /** In our own words. */
  readonly reason: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** How long a provider's answers took lately, milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  /** Answers that this is drawn from. */
  readonly samples: number;
}

/** All that the engine knows of provider health. `step` is the step's name, so each key has its own. */
export interface Health {
  /** Brings what is known up to date, before a cascade looks at it. Never rejects. */
  refresh?(): Promise<void>;
  suspension(step: string): Suspension | undefined;
  report(step: string, outcome: Outcome<unknown>, ms: number): void;
  /**
   * Asks for the one call that may try a step whose suspension has just ended; the call takes at most `limitMs`.
   * Undefined, or a promise of it, means go; a suspension, that another request has the try. Never rejects.
   */
  claim?(step: string, limitMs: number): Promise<Suspension | undefined> | undefined;
  /** The call ended without telling anything of the provider: whoever comes next may try. */
  release?(step: string): void;
  latency?(step: string): Latency | undefined;
  /** How long an answer took. */
  noteLatency?(step: string, ms: number): void;
}

/** Every provider is well. */
export const ALWAYS_WELL: Health = { suspension: () => undefined, report: () => {} };
