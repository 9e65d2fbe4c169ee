import pMap from "p-map";
import type { JobContext } from "../context.ts";
import { EgressError } from "../egress/egress-error.ts";
import { makePreview } from "../pixels/preview.ts";
import { putObject } from "../storage/objects.ts";
import type { ImageSink, PreviewReport } from "./commit.ts";
import type { RankedCandidate } from "./ranking.ts";
import type { ShownCandidate, StoredPool, UnavailableCandidate } from "./stored-pool.ts";
import { examined } from "./stored-pool.ts";

/** Longer side of a stored preview. */
export const PREVIEW_SIDE = 960;
const PREVIEW_MS = 10_000;
const MAX_PREVIEW_BYTES = 4 * 1024 * 1024;
/** Picture hosts answer bursts with 429, and all candidates of a page may lie on one host. */
const AT_ONCE = 3;

/**
 * Looks at the next `count` candidates of a pool. Never asks for an original. What the deadline cut short is not in the
 * report: nothing is known of it, and the next call begins there.
 */
export async function lookAtPreviews(
  pool: StoredPool,
  count: number,
  sink: ImageSink,
  context: JobContext,
): Promise<PreviewReport> {
  const from = examined(pool);
  const next = pool.ranked.slice(from, from + count);
  const looks = await pMap(next, (ranked) => lookAt(ranked, sink, context), { concurrency: AT_ONCE });
  const shown: ShownCandidate[] = [];
  const unavailable: UnavailableCandidate[] = [];
  for (const [offset, look] of looks.entries()) {
    const index = from + offset;
    if (look === undefined) break;
    if ("reason" in look) unavailable.push({ index, reason: look.reason });
    else shown.push({ index, ...look });
  }
  return { generation: pool.generation, from, shown, unavailable };
}

async function lookAt(
  { candidate }: RankedCandidate,
  sink: ImageSink,
  context: JobContext,
): Promise<Omit<ShownCandidate, "index"> | { reason: string } | undefined> {
  if (candidate.previewUrl === "") return { reason: "the provider gives no preview" };
  const bytes = await fetchPreview(candidate.previewUrl, context);
  if (!(bytes instanceof Uint8Array)) return context.deadline.signal.aborted ? undefined : bytes;
  const preview = makePreview(bytes, PREVIEW_SIDE);
  if ("reason" in preview) return { reason: preview.detail };
  const { sha256 } = await putObject(sink.bucket, sink.tenant, preview.jpeg, "image/jpeg");
  return { sha256, width: preview.width, height: preview.height };
}

/** The bytes of a rendition, or why there are none. */
export async function fetchPreview(
  url: string,
  context: JobContext,
): Promise<Uint8Array<ArrayBuffer> | { reason: string }> {
  try {
    const options = { timeLimitMs: PREVIEW_MS, maxBytes: MAX_PREVIEW_BYTES, signal: context.deadline.signal };
    const { bytes, status } = await context.door.download(url, options);
    return status >= 400 ? { reason: `the preview's host answered HTTP ${status}` } : bytes;
  } catch (error) {
    if (error instanceof EgressError) return { reason: error.message };
    throw error;
  }
}
