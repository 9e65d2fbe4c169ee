import { bmpSize, isBmpHeader } from "./bmp.ts";
import { latin1, type Size, u32be } from "./bytes.ts";
import { gifSize } from "./gif.ts";
import { isMultiPicture, jpegFrames, jpegOrientation, readJpegHeader } from "./jpeg.ts";
import { pngOrientation, pngSize } from "./png.ts";
import { type PixelRefusal, refused } from "./refusal.ts";
import { orientationIn, readTiffTags, tiffSize } from "./tiff.ts";
import { webpOrientation, webpSize } from "./webp.ts";

/** `mpo`: a JPEG that others follow in the same file, as phones and stereo cameras write it. */
export type ImageKind = "jpeg" | "mpo" | "png" | "webp" | "gif" | "bmp" | "tiff";

export interface SniffedImage extends Size {
  readonly kind: ImageKind;
  readonly mime: string;
  /** The usual one, without a dot. */
  readonly extension: string;
  /** Pixels as they are shown, Exif orientation applied; 0 where the bytes end before they say it. */
  readonly width: number;
  readonly height: number;
  /** Exif orientation, 1–8. */
  readonly orientation: number;
}

const NAMES: Readonly<Record<ImageKind, { readonly mime: string; readonly extension: string }>> = {
  jpeg: { mime: "image/jpeg", extension: "jpg" },
  mpo: { mime: "image/jpeg", extension: "jpg" },
  png: { mime: "image/png", extension: "png" },
  webp: { mime: "image/webp", extension: "webp" },
  gif: { mime: "image/gif", extension: "gif" },
  bmp: { mime: "image/bmp", extension: "bmp" },
  tiff: { mime: "image/tiff", extension: "tif" },
};

/**
 * What a file is by its own bytes, never by what a name or a header says of it. Decodes nothing. The beginning of a
 * file is enough for its kind; size and orientation may lie further back.
 */
export function sniffImage(bytes: Uint8Array): SniffedImage | PixelRefusal {
  const start = latin1(bytes, 0, 16);
  if (start.startsWith("\xff\xd8\xff")) return sniffJpeg(bytes);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return sniffed("png", pngSize(bytes), pngOrientation(bytes));
  if (/^RIFF.{4}WEBP/s.test(start)) return sniffed("webp", webpSize(bytes), webpOrientation(bytes));
  if (/^GIF8[79]a/.test(start)) return sniffed("gif", gifSize(bytes), 1);
  if (start.startsWith("BM") && isBmpHeader(bytes)) return sniffed("bmp", bmpSize(bytes), 1);
  if (start.startsWith("II*\0") || start.startsWith("MM\0*")) {
    const tags = readTiffTags(bytes);
    return sniffed("tiff", tags === undefined ? { width: 0, height: 0 } : tiffSize(tags), orientationIn(tags));
  }
  return whatElse(bytes);
}

/** Width and height change places under a quarter turn. */
export function turnsSideways(orientation: number): boolean {
  return orientation >= 5;
}

function sniffJpeg(bytes: Uint8Array): SniffedImage {
  const header = readJpegHeader(bytes);
  const [frame] = jpegFrames(bytes, header);
  const kind = isMultiPicture(bytes, header) ? "mpo" : "jpeg";
  return sniffed(kind, frame ?? { width: 0, height: 0 }, jpegOrientation(bytes, header));
}

function sniffed(kind: ImageKind, { width, height }: Size, orientation: number): SniffedImage {
  const shown = turnsSideways(orientation) ? { width: height, height: width } : { width, height };
  return { kind, ...NAMES[kind], ...shown, orientation };
}

const HTML = /^<(?:!doctype html|html|head|body|title|meta|script|!--)/;

function whatElse(bytes: Uint8Array): PixelRefusal {
  if (bytes.length === 0) return refused("empty", "there are no bytes");
  const start = latin1(bytes, 0, 1024);
  if (start.startsWith("%PDF-")) return refused("pdf", "it is a PDF document");
  if (start.startsWith("\xff\x0a") || start.startsWith("JXL ", 4)) {
    return refused("jxl", "it is a JPEG XL picture, which cannot be read here");
  }
  if (start.startsWith("ftyp", 4)) return isoMedia(bytes);
  const text = start
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart()
    .toLowerCase();
  if (HTML.test(text)) return refused("html", "it is an HTML page, not a picture");
  if (text.startsWith("<") && text.includes("<svg")) return refused("svg", "it is an SVG drawing, which has no pixels");
  if (text.startsWith("<") && text.includes("<html")) return refused("html", "it is an HTML page, not a picture");
  return refused("unknown", "it is not a picture in a known format");
}

/** Brands of the file type box: ISO/IEC 14496-12, section 4.3; AVIF and HEIF name themselves there. */
function isoMedia(bytes: Uint8Array): PixelRefusal {
  const brands = latin1(bytes, 8, Math.min(u32be(bytes, 0), 256) - 8);
  if (/avi[fs]/.test(brands)) return refused("avif", "it is an AVIF picture, which cannot be read here");
  if (/he[iv][cmsx]|mif1|msf1/.test(brands)) return refused("heic", "it is a HEIC picture, which cannot be read here");
  return refused("unknown", "it is a media file, not a picture in a known format");
}
