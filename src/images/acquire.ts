import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import type { ImageCommit, ImageSink } from "./commit.ts";
import { extensionOf } from "./filename.ts";
import { findCandidates } from "./find.ts";
import { fetchOriginal, gateOriginal, isFault, type Original, type OriginalFault } from "./original.ts";
import { providerItem } from "./provenance.ts";
import type { RankedCandidate } from "./ranking.ts";
import { refuse } from "./refusal.ts";
import type { ImageRequest } from "./request.ts";
import { MIN_AREA } from "./size-floors.ts";
import { storeAndCommit } from "./store.ts";

export interface AcquiredImage {
  readonly commit: ImageCommit;
  readonly attempts: readonly Attempt[];
}

/** Originals that one row may ask for; each costs up to 25 MiB. */
const MOST_ORIGINALS = 8;

/** Best-only: the first ranked original that can be had and passes the gates. Near matches are never among them. */
export async function acquireImage(
  request: ImageRequest,
  sink: ImageSink,
  context: JobContext,
): Promise<AcquiredImage> {
  refuse(await sink.project.refusalFor(request.filename, "search"));
  const { ranked, attempts } = await findCandidates(request, "strict", context);
  const faults: OriginalFault[] = [];
  for (const choice of ranked.slice(0, MOST_ORIGINALS)) {
    if (context.deadline.signal.aborted) break;
    const original = await originalOf(choice, request, context);
    if (isFault(original)) {
      faults.push(original);
      continue;
    }
    const { candidate } = choice;
    const item = providerItem(request, choice, original, { status: "sourced", selectionMethod: "metadata-ranked" });
    const commit = { filename: request.filename, item, origin: "search" as const };
    return { commit: await storeAndCommit(original, commit, candidate.previewUrl, sink, context), attempts };
  }
  throw noOriginal(faults, attempts);
}

export async function originalOf(
  choice: RankedCandidate,
  request: ImageRequest,
  context: JobContext,
): Promise<Original | OriginalFault> {
  const bytes = await fetchOriginal(choice.candidate.downloadUrl, context);
  if (isFault(bytes)) return bytes;
  return gateOriginal(bytes, extensionOf(request.filename), { request, minArea: MIN_AREA }, choice.candidate);
}

/** A host that did not answer may answer later; pictures that are too small or none at all will not change. */
function noOriginal(faults: readonly OriginalFault[], attempts: readonly Attempt[]): SluiceError {
  const retryable = faults.length === 0 || faults.some((fault) => fault.kind === "unreachable");
  const detail = faults.map((fault) => fault.detail).join("; ");
  const message = `None of the ${faults.length} best originals can be used: ${detail || "the time was over"}.`;
  return new SluiceError(retryable ? "originals-failed" : "no-match", message, {
    context: { attempts, originals: faults },
  });
}
