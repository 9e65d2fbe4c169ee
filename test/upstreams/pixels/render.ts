import sharp, { type Region } from "sharp";
import { type Picture, PHOTOGRAPHS } from "../catalogue/picture.ts";
import { photographBytes } from "./photograph.ts";

export type Format = "jpeg" | "png" | "webp" | "tiff" | "avif";

export interface Rendition {
  readonly format: Format;
  /** Pixels where they are not the picture's own; the shape is cut to fit. */
  readonly width?: number;
  readonly height?: number;
}

const CACHE_BYTES = 200 * 1024 * 1024;
const cache = new Map<string, Uint8Array<ArrayBuffer>>();
let cachedBytes = 0;

// The gateway under test shares the machine.
sharp.concurrency(1);

/** The bytes of a picture; made once and kept while there is room. */
export async function render(picture: Picture, rendition: Rendition): Promise<Uint8Array<ArrayBuffer>> {
  const width = rendition.width ?? picture.width;
  const height = rendition.height ?? picture.height;
  const name = [picture.photograph, picture.variant, width, height, rendition.format].join("/");
  const known = cache.get(name);
  if (known !== undefined) {
    // The youngest stand last.
    cache.delete(name);
    cache.set(name, known);
    return known;
  }
  const bytes = new Uint8Array(await draw({ ...picture, width, height }, rendition.format));
  keep(name, bytes);
  return bytes;
}

async function draw(picture: Picture, format: Format): Promise<Buffer> {
  const source = sharp(photographBytes(picture.photograph));
  const { width, height } = await source.metadata();
  const drawn = source.extract(cutOf(picture, width, height)).resize(picture.width, picture.height, { fit: "fill" });
  switch (format) {
    case "jpeg":
      return drawn.jpeg({ quality: 80 }).toBuffer();
    case "png":
      return drawn.png({ compressionLevel: 3 }).toBuffer();
    case "webp":
      return drawn.webp({ quality: 80, effort: 1 }).toBuffer();
    case "avif":
      return drawn.avif({ effort: 0 }).toBuffer();
    case "tiff":
      return drawn.tiff({ compression: "lzw" }).toBuffer();
  }
}

/** A window of the right shape around the subject; the variant says how close and to which side. */
function cutOf(picture: Picture, width: number, height: number): Region {
  const shape = picture.width / picture.height;
  const zoom = [1, 0.86, 0.74][picture.variant % 3]!;
  const side = [0.5, 0.4, 0.6][Math.floor(picture.variant / 3) % 3]!;
  const cutWidth = Math.max(1, Math.floor(Math.min(width, height * shape) * zoom));
  const cutHeight = Math.max(1, Math.floor(cutWidth / shape));
  const { focus } = PHOTOGRAPHS[picture.photograph];
  return {
    left: within(focus.x * width - side * cutWidth, width - cutWidth),
    top: within(focus.y * height - 0.5 * cutHeight, height - cutHeight),
    width: cutWidth,
    height: cutHeight,
  };
}

function within(value: number, most: number): number {
  return Math.round(Math.max(0, Math.min(most, value)));
}

function keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  cache.set(name, bytes);
  cachedBytes += bytes.byteLength;
  for (const [oldest, old] of cache) {
    if (cachedBytes <= CACHE_BYTES) break;
    cache.delete(oldest);
    cachedBytes -= old.byteLength;
  }
}
