import { decodeWhole, decodeWithin } from "./decode.ts";
import { findJpegEnd, firstPicture, readJpegHeader } from "./jpeg.ts";
import { encodeJpeg, encodePng, encodeWebp } from "./photon.ts";
import { type PixelRefusal, refused } from "./refusal.ts";
import type { ImageKind, SniffedImage } from "./sniff.ts";

/** Bytes that are what their filename says. */
export interface FittedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Pixels as they are shown. */
  readonly width: number;
  readonly height: number;
}

/** For originals: hardly to be told from lossless at a third of the size. */
const ORIGINAL_QUALITY = 92;

const KIND_OF_EXTENSION: Readonly<Record<string, ImageKind>> = {
  jpg: "jpeg",
  jpeg: "jpeg",
  png: "png",
  webp: "webp",
  gif: "gif",
  bmp: "bmp",
  tif: "tiff",
  tiff: "tiff",
};

/**
 * Bytes for a filename with this extension (lower case, no dot). The same bytes where they fit already. A multi-picture
 * JPEG is cut to its first picture without touching a pixel: some deck builders refuse the whole file. Anything else is
 * decoded, turned upright and encoded anew, within the budget for decoding. Expects bytes that `checkStructure` passed.
 */
export function fitToFilename(
  bytes: Uint8Array<ArrayBuffer>,
  image: SniffedImage,
  extension: string,
): FittedImage | PixelRefusal {
  const wanted = KIND_OF_EXTENSION[extension];
  if (wanted === image.kind) return fitted(bytes, image.mime, image);
  if (wanted === "jpeg" && image.kind === "mpo") return cut(bytes, image);
  if (wanted === "jpeg") {
    const raster = decodeWithin(bytes, image, image);
    return "reason" in raster ? raster : fitted(encodeJpeg(raster, ORIGINAL_QUALITY), "image/jpeg", raster);
  }
  if (wanted !== "png" && wanted !== "webp") {
    return refused("unsupported", `a ${image.kind.toUpperCase()} picture cannot be written as .${extension} here`);
  }
  const raster = decodeWhole(bytes, image);
  if ("reason" in raster) return raster;
  return fitted(wanted === "png" ? encodePng(raster) : encodeWebp(raster), `image/${wanted}`, raster);
}

/** Keeps the Exif orientation, as every JPEG keeps it that is stored as received. */
function cut(bytes: Uint8Array, image: SniffedImage): FittedImage | PixelRefusal {
  const header = readJpegHeader(bytes);
  const end = header.scan === undefined ? undefined : findJpegEnd(bytes, header.scan);
  if (end === undefined) return refused("truncated", "the JPEG file is cut off or damaged");
  return fitted(firstPicture(bytes, header, end), image.mime, image);
}

function fitted(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
  { width, height }: { readonly width: number; readonly height: number },
): FittedImage {
  return { bytes, contentType, width, height };
}
