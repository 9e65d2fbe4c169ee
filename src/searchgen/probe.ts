import pMap from "p-map";
import { earlier } from "../cascade/deadline.ts";
import type { JobContext } from "../context.ts";
import { sniffImage } from "../pixels/sniff.ts";
import type { SearchGenImageResult } from "./contract.ts";

/** What a look at the first bytes says: `slow` means that nothing came in time. */
export type Finding = "fetchable" | "dead" | "slow";

const PROBE_MS = 3_000;
/** Enough for the header of every raster format that the client reads. */
const HEAD_BYTES = 4_096;
/** A Worker may have six connections waiting for headers. */
const AT_ONCE = 6;

/** Looks at every picture as the client would ask for it: no auth, redirects followed, bytes judged, type ignored. */
export async function probeImages(
  images: readonly SearchGenImageResult[],
  context: JobContext,
): Promise<readonly Finding[]> {
  const { signal } = earlier(context.deadline, Math.max(0, context.deadline.remainingMs() - PROBE_MS), context.clock);
  return pMap(images, (image) => probe(image.imageUrl, signal, context), { concurrency: AT_ONCE });
}

async function probe(url: string, signal: AbortSignal, context: JobContext): Promise<Finding> {
  if (signal.aborted) return "slow";
  try {
    const head = await context.door.peek(url, { timeLimitMs: PROBE_MS, maxBytes: HEAD_BYTES, signal });
    return head.status < 400 && isClientRaster(head.bytes) ? "fetchable" : "dead";
  } catch {
    return signal.aborted ? "slow" : "dead";
  }
}

const CLIENT_RASTERS = new Set(["jpeg", "png", "webp", "gif", "bmp", "tiff", "mpo"]);

/** AVIF is left out: the client reads it only with a recent Pillow. */
export function isClientRaster(bytes: Uint8Array): boolean {
  return CLIENT_RASTERS.has(sniffImage(bytes).kind);
}

/** Fetchable ones first, then those of which nothing is known yet, each in rank order. Dead ones are left out. */
export function alive<T>(images: readonly T[], findings: readonly Finding[]): T[] {
  const of = (finding: Finding) => images.filter((_, index) => findings[index] === finding);
  return [...of("fetchable"), ...of("slow")];
}
