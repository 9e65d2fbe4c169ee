import type { JobContext } from "../context.ts";
import { EgressError } from "../egress/egress-error.ts";
import { fitToFilename } from "../pixels/convert.ts";
import { sniffImage } from "../pixels/sniff.ts";
import { checkStructure } from "../pixels/structure.ts";
import type { ImageRequest } from "./request.ts";
import { isKnown, meetsFloors, type Size, sizeFloors } from "./size-floors.ts";

/** Bytes that may stand under a filename. */
export interface Original {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Pixels as they are shown, EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
}

/** Why an original is not taken. `unreachable` may work later, the others never will with these bytes. */
export interface OriginalFault {
  readonly kind: "unreachable" | "not-an-image" | "too-small" | "too-large" | "refused";
  readonly detail: string;
}

/** The floors of a request, and the least number of pixels in all: 0 for a picture that a person chose. */
export interface SizeGate {
  readonly request: Pick<ImageRequest, "orientation" | "minWidth" | "minHeight">;
  readonly minArea: number;
}

/** Originals are held whole: their name is their hash, and R2 wants a known length. */
export const MAX_ORIGINAL_BYTES = 25 * 1024 * 1024;
const DOWNLOAD_MS = 30_000;

/** Downloads one original; the door judges the URL and every redirect. */
export async function fetchOriginal(
  url: string,
  context: JobContext,
): Promise<Uint8Array<ArrayBuffer> | OriginalFault> {
  try {
    const { signal } = context.deadline;
    const options = { timeLimitMs: DOWNLOAD_MS, maxBytes: MAX_ORIGINAL_BYTES, signal };
    const { bytes, status } = await context.door.download(url, options);
    return status >= 400 ? { kind: "unreachable", detail: `its host answered HTTP ${status}` } : bytes;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.reason === "refused") return { kind: "refused", detail: `the URL is refused: ${error.message}` };
    if (error.reason === "too-large") return { kind: "too-large", detail: error.message };
    return { kind: "unreachable", detail: error.message };
  }
}

/** Judges bytes by what they are, never by what a header or a name says, and fits them to the filename's extension. */
export function gateOriginal(
  bytes: Uint8Array<ArrayBuffer>,
  extension: string,
  gate: SizeGate,
  claimed: Size | undefined,
): Original | OriginalFault {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "refused") return { kind: "not-an-image", detail: sniffed.detail };
  const broken = checkStructure(bytes, sniffed);
  if (broken !== undefined) return { kind: "not-an-image", detail: broken.detail };
  if (!meetsFloors(sniffed, gate.request, gate.minArea)) {
    return { kind: "too-small", detail: sizes(sniffed, gate, claimed) };
  }
  const fitted = fitToFilename(bytes, sniffed, extension);
  if ("reason" in fitted) return { kind: "not-an-image", detail: fitted.detail };
  return fitted;
}

export function isFault(value: Uint8Array | Original | OriginalFault): value is OriginalFault {
  return "kind" in value;
}

function sizes(measured: Size, { request, minArea }: SizeGate, claimed: Size | undefined): string {
  const floors = sizeFloors(request).map(({ width, height }) => `${width}x${height}`);
  const area = minArea > 0 ? ` and ${minArea} pixels in all` : "";
  const claim =
    claimed !== undefined && isKnown(claimed) ? `; metadata claimed ${claimed.width}x${claimed.height}` : "";
  return `measured ${measured.width}x${measured.height}; required minimum ${floors.join(" or ")}${area}${claim}`;
}
