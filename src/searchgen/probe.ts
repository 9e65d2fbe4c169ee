import pMap from "p-map";
import { z } from "zod";
import { earlier } from "../cascade/deadline.ts";
import type { JobContext } from "../context.ts";
import { EgressError } from "../egress/egress-error.ts";
import { sniffImage } from "../pixels/sniff.ts";
import type { SearchGenImageResult } from "./contract.ts";

/** What a look at the first bytes says: `slow` that they did not come in time, `unseen` that the time was over before. */
export type Finding = "fetchable" | "dead" | "slow" | "unseen";

/** For all looks together, and for one: hosts that hang must not keep every other picture from being looked at. */
const ALL_MS = 3_000;
const ONE_MS = 1_400;
/** Enough for the header of every raster format that the client reads. */
const HEAD_BYTES = 4_096;
/** What is remembered of an address, and for how long. */
const FACT = "picture";
const factSchema = z.enum(["fetchable", "dead"]);
const ALIVE_SECONDS = 60 * 60;
const DEAD_SECONDS = 6 * 60 * 60;
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** A Worker may have six connections waiting for headers. */
const AT_ONCE = 6;

/** Looks at every picture as the client would ask for it: no auth, redirects followed, bytes judged, type ignored. */
export async function probeImages(
  images: readonly SearchGenImageResult[],
  context: JobContext,
): Promise<readonly Finding[]> {
  const { signal } = earlier(context.deadline, Math.max(0, context.deadline.remainingMs() - ALL_MS), context.clock);
  return pMap(images, (image) => probe(image.imageUrl, signal, context), { concurrency: AT_ONCE });
}

async function probe(url: string, signal: AbortSignal, context: JobContext): Promise<Finding> {
  const links = context.cache?.wish === "use" ? context.cache.links : undefined;
  const known = await links?.known(FACT, url, factSchema);
  if (known !== undefined) return known;
  if (signal.aborted) return "unseen";
  try {
    const head = await context.door.peek(url, { timeLimitMs: ONE_MS, maxBytes: HEAD_BYTES, signal });
    const isThere = head.status < 400;
    const finding = isThere && isClientRaster(sniffImage(head.bytes)) ? "fetchable" : "dead";
    if (finding === "fetchable") links?.remember(FACT, url, finding, ALIVE_SECONDS);
    // Any other refusal may be over in a minute.
    else if (isThere || GONE.has(head.status)) links?.remember(FACT, url, finding, DEAD_SECONDS);
    return finding;
  } catch (error) {
    return error instanceof EgressError && error.reason === "timeout" ? "slow" : "dead";
  }
}

const CLIENT_RASTERS = new Set(["jpeg", "png", "webp", "gif", "bmp", "tiff", "mpo"]);

/** AVIF is left out: the client reads it only with a recent Pillow. */
export function isClientRaster({ kind }: ReturnType<typeof sniffImage>): boolean {
  return CLIENT_RASTERS.has(kind);
}

/** The images of these findings: those of the first one first, each in rank order. */
export function withFindings<T>(images: readonly T[], findings: readonly Finding[], wanted: readonly Finding[]): T[] {
  return wanted.flatMap((finding) => images.filter((_, index) => findings[index] === finding));
}
