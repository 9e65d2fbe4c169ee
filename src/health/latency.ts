import type { Latency } from "../cascade/health.ts";

/** How long one answer took. */
export interface LatencySample {
  /** Name of the step without the number of its key: whose key it was makes no difference. */
  readonly step: string;
  readonly ms: number;
}

/** The latest answers of one step, oldest first, milliseconds. */
export type LatencyRing = readonly number[];

/** Enough for a p95 that a single slow answer does not move, and little enough to be forgotten within a day. */
const RING = 100;

/** The ring with further answers behind. */
export function withSamples(ring: LatencyRing, ms: readonly number[]): LatencyRing {
  return [...ring, ...ms.map((each) => Math.max(0, Math.round(each)))].slice(-RING);
}

/** p50 and p95 by nearest rank; undefined without samples. */
export function latencyOf(ring: LatencyRing): Latency | undefined {
  if (ring.length === 0) return undefined;
  const sorted = ring.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]!;
  return { p50: at(0.5), p95: at(0.95), samples: sorted.length };
}

/** `serpapi#2:bing` → `serpapi:bing`. */
export function withoutKeyNumber(step: string): string {
  return step.replace(/#\d+/, "");
}
