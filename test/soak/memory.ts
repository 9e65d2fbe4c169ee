import { setTimeout as wait } from "node:timers/promises";
import { openIsolateHeap } from "../../bench/isolate-heap.ts";
import { residentBytes } from "../../bench/resident-memory.ts";
import { quarterOf } from "../../bench/statistics.ts";
import type { Deployment } from "./deployment.ts";

/** What a Worker held while nobody killed it, at even distances, bytes. */
export interface MemorySamples {
  /** Of its isolate, each after a collection. */
  readonly live: number[];
  /** Of the whole workerd process, which also simulates R2 and Durable Objects. */
  readonly resident: number[];
}

const SAMPLE_MS = 8_000;
/** With fewer, each sample of a quarter may have met pictures at work. */
const LEAST_SAMPLES = 20;
/** Of a deployed isolate's 128 MB, beside Photon's WASM memory. */
export const MOST_LIVE_BYTES = 48 * 1024 * 1024;
export const MOST_GROWTH = 1.1;

export async function sampleMemory(deployment: Deployment, signal: AbortSignal): Promise<MemorySamples> {
  const samples: MemorySamples = { live: [], resident: [] };
  const wake = async () => (await fetch(`${deployment.url}/healthz`)).arrayBuffer();
  const heap = await openIsolateHeap(deployment.inspectorPort, "core:user:sluice", wake);
  try {
    while (!signal.aborted) {
      samples.live.push(await heap.liveBytes());
      samples.resident.push(await residentBytes(deployment.group, "workerd"));
      await wait(SAMPLE_MS, undefined, { signal }).catch(() => {});
    }
  } finally {
    heap.close();
  }
  return samples;
}

/** Least of the last quarter against least of the second; undefined where there are too few samples to say. */
export function growthOf(samples: readonly number[]): number | undefined {
  if (samples.length < LEAST_SAMPLES) return undefined;
  return Math.min(...quarterOf(samples, 4)) / Math.min(...quarterOf(samples, 2));
}
