import { bmpIsComplete } from "./bmp.ts";
import type { Size } from "./bytes.ts";
import { gifExtent } from "./gif.ts";
import { findJpegEnd, jpegFrames, readJpegHeader } from "./jpeg.ts";
import { pngIsComplete } from "./png.ts";
import { type PixelRefusal, refused } from "./refusal.ts";
import { type SniffedImage, turnsSideways } from "./sniff.ts";
import { readTiffTags, tiffIsComplete } from "./tiff.ts";
import { webpLargestFrame } from "./webp.ts";

/**
 * Whether a whole file is complete and agrees with itself about its size, without decoding it: `undefined` where it is,
 * else `truncated` or `malformed`. Bytes after the picture's end are let pass, as every viewer does.
 */
export function checkStructure(bytes: Uint8Array, image: SniffedImage): PixelRefusal | undefined {
  switch (image.kind) {
    case "jpeg":
    case "mpo":
      return checkJpeg(bytes, image);
    case "png":
      return completed(pngIsComplete(bytes), image);
    case "webp":
      return checkFrames(webpLargestFrame(bytes), image);
    case "gif":
      return checkFrames(gifExtent(bytes), image);
    case "bmp":
      return completed(bmpIsComplete(bytes), image);
    case "tiff": {
      const tags = readTiffTags(bytes);
      return completed(tags !== undefined && tiffIsComplete(bytes, tags), image);
    }
  }
}

function checkJpeg(bytes: Uint8Array, image: SniffedImage): PixelRefusal | undefined {
  const header = readJpegHeader(bytes);
  if (jpegFrames(bytes, header).length > 1) return refused("malformed", "the JPEG has more than one frame header");
  return completed(header.scan !== undefined && findJpegEnd(bytes, header.scan) !== undefined, image);
}

function completed(complete: boolean, { kind, width, height }: SniffedImage): PixelRefusal | undefined {
  const name = kind === "webp" ? "WebP" : kind === "mpo" ? "JPEG" : kind.toUpperCase();
  if (!complete) return refused("truncated", `the ${name} file is cut off or damaged`);
  return width >= 1 && height >= 1 ? undefined : refused("malformed", `the ${name} file says no size`);
}

/** A frame larger than its canvas would be decoded at its own size, past every budget. */
function checkFrames(frames: Size | undefined, image: SniffedImage): PixelRefusal | undefined {
  const incomplete = completed(frames !== undefined, image);
  if (frames === undefined || incomplete !== undefined) return incomplete;
  const canvas = turnsSideways(image.orientation) ? { width: image.height, height: image.width } : image;
  if (frames.width <= canvas.width && frames.height <= canvas.height) return undefined;
  return refused("malformed", "a frame is larger than the picture it belongs to");
}
