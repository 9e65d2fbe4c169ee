import type { JobContext } from "../context.ts";
import { EgressError } from "../egress/egress-error.ts";
import { fitToFilename } from "../pixels/convert.ts";
import { sniffImage } from "../pixels/sniff.ts";
import { checkStructure } from "../pixels/structure.ts";

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

export interface SizeFloors {
  readonly minWidth: number;
  readonly minHeight: number;
  /** Pixels in all; 0 for pictures that a person chose. */
  readonly minArea: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Originals are held whole: their name is their hash, and R2 wants a known length. */
export const MAX_ORIGINAL_BYTES = 25 * 1024 * 1024;
const DOWNLOAD_MS = 30_000;

/** Downloads one original; the door judges the URL and every redirect. */
export async function fetchOriginal(url: string, context: JobContext): Promise<Uint8Array<ArrayBuffer> | OriginalFault> {
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
  floors: SizeFloors,
  claimed: Size | undefined,
): Original | OriginalFault {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "refused") return { kind: "not-an-image", detail: sniffed.detail };
  const broken = checkStructure(bytes, sniffed);
  if (broken !== undefined) return { kind: "not-an-image", detail: broken.detail };
  const { width, height } = sniffed;
  if (width < floors.minWidth || height < floors.minHeight || width * height < floors.minArea) {
    return { kind: "too-small", detail: sizes(sniffed, floors, claimed) };
  }
  const fitted = fitToFilename(bytes, sniffed, extension);
  if ("reason" in fitted) return { kind: "not-an-image", detail: fitted.detail };
  return fitted;
}

export function isFault(value: Uint8Array | Original | OriginalFault): value is OriginalFault {
  return "kind" in value;
}

function sizes(measured: Size, floors: SizeFloors, claimed: Size | undefined): string {
  const area = floors.minArea > 0 ? ` and ${floors.minArea} pixels` : "";
  const claim = claimed !== undefined && claimed.width > 0 ? `; metadata claimed ${claimed.width}x${claimed.height}` : "";
  return `measured ${measured.width}x${measured.height}; required minimum ${floors.minWidth}x${floors.minHeight}${area}${claim}`;
}
