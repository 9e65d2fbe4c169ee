import type { Health } from "./health.ts";

/** When a slow step gets company. */
export interface Hedging {
  /** Chosen by the operator, milliseconds; missing: what each provider took lately. */
  readonly afterMs?: number;
  /** Counts the request as one that may hedge; more than once counts once. */
  begin(): void;
  /** Takes leave to start a step that costs money beside another; false when such hedges are used up for now. */
  spend(): boolean;
}

/** What most providers answer within on a good day: waiting less would double calls for nothing. */
const SHORTEST_WAIT_MS = 800;
/** A p95 of fewer answers is the slowest of a handful. */
const FEWEST_SAMPLES = 20;
/**
 * Steps that may be open at once. Two providers that hang together still leave a way; a Worker has six connections, and
 * a request may run two cascades side by side.
 */
export const MOST_OPEN = 3;

/** After how many milliseconds without an answer a step counts as slow. */
export function hedgeAfter(step: string, hedging: Hedging, health: Health): number {
  if (hedging.afterMs !== undefined) return hedging.afterMs;
  const latency = health.latency?.(step);
  if (latency === undefined || latency.samples < FEWEST_SAMPLES) return SHORTEST_WAIT_MS;
  return Math.max(SHORTEST_WAIT_MS, latency.p95);
}
