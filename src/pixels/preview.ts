import { decodeWithin } from "./decode.ts";
import { encodeJpeg } from "./photon.ts";
import type { PixelRefusal } from "./refusal.ts";
import { type SniffedImage, sniffImage } from "./sniff.ts";
import { checkStructure } from "./structure.ts";

export interface Preview {
  readonly jpeg: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** Longer side of the rendition in which a stored image is reviewed. */
export const MAX_REVIEW_SIDE = 1024;

const QUALITY = 85;
/** A JPEG of preview size that is larger than this gains by being encoded anew. */
const MAX_UNTOUCHED_BYTES = 512 * 1024;

/**
 * A JPEG of the first frame, upright, on white, with neither side longer than `maxSide` pixels and never upscaled. A JPEG
 * that is all this already is given back as it is.
 */
export function makePreview(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Preview | PixelRefusal {
  const image = sniffImage(bytes);
  if (image.kind === "refused") return image;
  if (isPreviewAlready(bytes, image, maxSide)) {
    return checkStructure(bytes, image) ?? { jpeg: bytes, width: image.width, height: image.height };
  }
  const raster = decodeWithin(bytes, image, { width: maxSide, height: maxSide });
  if ("reason" in raster) return raster;
  return { jpeg: encodeJpeg(raster, QUALITY), width: raster.width, height: raster.height };
}

function isPreviewAlready(bytes: Uint8Array, image: SniffedImage, maxSide: number): boolean {
  return (
    image.kind === "jpeg" &&
    image.orientation === 1 &&
    Math.max(image.width, image.height) <= maxSide &&
    bytes.length <= MAX_UNTOUCHED_BYTES
  );
}
