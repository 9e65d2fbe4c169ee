import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import type { ImageCommit, ImageSink } from "./commit.ts";
import { extensionOf } from "./filename.ts";
import { fetchOriginal, gateOriginal, isFault, type OriginalFault } from "./original.ts";
import { manualItem, type ManualDetails } from "./provenance.ts";
import { refuse } from "./refusal.ts";
import { storeAndCommit } from "./store.ts";

export interface ManualRequest {
  readonly filename: string;
  /** Floors that the caller gives count even when they are lower than the usual ones. */
  readonly minWidth: number;
  readonly minHeight: number;
  /** Where nothing is given, the entry or the pool of the filename gives it. */
  readonly details: Partial<ManualDetails>;
}

/** Puts the picture behind a URL that a person chose under a filename, whatever stands there. */
export async function acquireFromUrl(
  url: string,
  request: ManualRequest,
  sink: ImageSink,
  context: JobContext,
): Promise<ImageCommit> {
  refuse(await sink.project.refusalFor(request.filename, "manual"));
  const bytes = await fetchOriginal(url, context);
  if (isFault(bytes)) throw manualRefused(bytes);
  return storeManual(bytes, url, request, sink, context);
}

/** The same for bytes that the caller has; `sourcePageUrl` says where they came from. */
export async function acquireUpload(
  bytes: Uint8Array<ArrayBuffer>,
  sourcePageUrl: string,
  request: ManualRequest,
  sink: ImageSink,
  context: JobContext,
): Promise<ImageCommit> {
  refuse(await sink.project.refusalFor(request.filename, "manual"));
  return storeManual(bytes, sourcePageUrl, request, sink, context);
}

async function storeManual(
  bytes: Uint8Array<ArrayBuffer>,
  sourceUrl: string,
  request: ManualRequest,
  sink: ImageSink,
  context: JobContext,
): Promise<ImageCommit> {
  const { minWidth, minHeight } = request;
  const gate = { request: { orientation: "any" as const, minWidth, minHeight }, minArea: 0 };
  const original = gateOriginal(bytes, extensionOf(request.filename), gate, undefined);
  if (isFault(original)) throw manualRefused(original);
  const details = await inherited(request, sink);
  const item = manualItem(request.filename, sourceUrl, details, original);
  return storeAndCommit(original, { filename: request.filename, item, origin: "manual" }, "", sink, context);
}

/** What stands there already says what the picture is for; the request fills what is missing. */
async function inherited(request: ManualRequest, sink: ImageSink): Promise<ManualDetails> {
  const { filename, details } = request;
  const item = (await sink.project.image(filename))?.item;
  const row = (await sink.project.pool(filename))?.request;
  return {
    slide: item?.slide || row?.slide || details.slide || "",
    purpose: item?.purpose || row?.purpose || details.purpose || "",
    searchQuery: item?.search_query || row?.query || details.searchQuery || "",
    orientation: item?.orientation || row?.orientation || details.orientation || "",
    requiredTerms: item?.required_terms ?? row?.requiredTerms ?? details.requiredTerms ?? [],
  };
}

function manualRefused(fault: OriginalFault): SluiceError {
  if (fault.kind === "unreachable") {
    return new SluiceError("originals-failed", `The image could not be had: ${fault.detail}. Nothing was changed.`);
  }
  return new SluiceError("image-refused", `The image cannot be used: ${fault.detail}. Nothing was changed.`, {
    context: { reason: fault.kind },
  });
}
