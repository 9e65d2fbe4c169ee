import { PhotonImage } from "@cf-wasm/photon";
import type { Size } from "./bytes.ts";
import { jpegFrames, readJpegHeader } from "./jpeg.ts";
import { MAX_DECODED_BYTES, MAX_DECODED_PIXELS } from "./limits.ts";
import { photonOf, rasterOf, scaledRaster, withImage } from "./photon.ts";
import { pngIsIntact } from "./png.ts";
import { fitWithin, flattenOnWhite, type Raster, shrinkByWhole, upright } from "./raster.ts";
import { type PixelRefusal, refused } from "./refusal.ts";
import { type SniffedImage, turnsSideways } from "./sniff.ts";
import { checkStructure } from "./structure.ts";
import { readTiffTags, tiffIsDecodable } from "./tiff.ts";

/** From here on a picture is shrunk by a whole factor before Photon scales it: its scaler holds 16 bytes a pixel. */
const LARGE_PIXELS = 1_500_000;

/** The first frame, upright, on white, scaled down to lie within `box` and never up. */
export function decodeWithin(bytes: Uint8Array, image: SniffedImage, box: Size): Raster | PixelRefusal {
  const sideways = turnsSideways(image.orientation);
  const size = sideways ? turned(image) : image;
  const target = fitWithin(size, sideways ? turned(box) : box);
  const scalesAsItIs = isOpaque(image) && size.width * size.height <= LARGE_PIXELS;
  const decoded = decode(bytes, image, (photon) => (scalesAsItIs ? scaledRaster(photon, target) : rasterOf(photon)));
  if ("reason" in decoded) return decoded;
  return upright(scalesAsItIs ? decoded : scaledOnWhite(decoded, target), image.orientation);
}

/** The first frame, upright, at its own size, its transparency kept. */
export function decodeWhole(bytes: Uint8Array, image: SniffedImage): Raster | PixelRefusal {
  const decoded = decode(bytes, image, rasterOf);
  return "reason" in decoded ? decoded : upright(decoded, image.orientation);
}

function decode(bytes: Uint8Array, image: SniffedImage, read: (photon: PhotonImage) => Raster): Raster | PixelRefusal {
  const refusal = checkStructure(bytes, image) ?? checkBudget(bytes, image) ?? checkVariant(bytes, image);
  if (refusal !== undefined) return refusal;
  try {
    return withImage(PhotonImage.new_from_byteslice(bytes), read);
  } catch (error) {
    // A trap: WebAssembly.RuntimeError, which not every set of types that compiles this file declares.
    if (error instanceof Error && error.name === "RuntimeError")
      return refused("unreadable", "the picture cannot be decoded");
    throw error;
  }
}

function scaledOnWhite(raster: Raster, target: Size): Raster {
  flattenOnWhite(raster);
  const factor = Math.floor(Math.min(raster.width / target.width, raster.height / target.height));
  const large = raster.width * raster.height > LARGE_PIXELS;
  const smaller = large && factor > 1 ? shrinkByWhole(raster, factor) : raster;
  return withImage(photonOf(smaller), (photon) => scaledRaster(photon, target));
}

function checkBudget(bytes: Uint8Array, { width, height }: SniffedImage): PixelRefusal | undefined {
  if (width * height > MAX_DECODED_PIXELS) {
    const megapixels = MAX_DECODED_PIXELS / 1_000_000;
    return refused("too-large", `${width}x${height} is over the ${megapixels} megapixels that may be decoded`);
  }
  if (bytes.length <= MAX_DECODED_BYTES) return undefined;
  const megabytes = MAX_DECODED_BYTES / 1024 / 1024;
  return refused("too-large", `its file is larger than the ${megabytes} MiB that may be decoded`);
}

/** Refuses what traps in Photon, since a trap loses the memory that was in use, and what comes out wrong. */
function checkVariant(bytes: Uint8Array, { kind }: SniffedImage): PixelRefusal | undefined {
  if (kind === "png" && !pngIsIntact(bytes)) return refused("unreadable", "the PNG file's checksums are wrong");
  if (kind === "tiff") {
    const tags = readTiffTags(bytes);
    if (tags !== undefined && tiffIsDecodable(tags)) return undefined;
    return refused("unsupported", "this kind of TIFF (compression or color space) cannot be decoded here");
  }
  if (kind !== "jpeg" && kind !== "mpo") return undefined;
  const [frame] = jpegFrames(bytes, readJpegHeader(bytes));
  if (frame !== undefined && frame.marker <= 0xc2 && frame.precision === 8) return undefined;
  return refused("unsupported", "this kind of JPEG (lossless, arithmetic or 12 bits) cannot be decoded here");
}

function isOpaque({ kind }: SniffedImage): boolean {
  return kind === "jpeg" || kind === "mpo";
}

function turned({ width, height }: Size): Size {
  return { width: height, height: width };
}
