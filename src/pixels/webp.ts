import { latin1, type Size, u16le, u24le, u32le, u8 } from "./bytes.ts";
import { orientationIn, readTiffTags } from "./tiff.ts";

/** RFC 9649, section 2.3: name, length, data, padded to an even length. */
interface RiffChunk {
  readonly name: string;
  readonly data: number;
  readonly end: number;
}

/** Of the canvas, or of the one frame where there is no canvas. */
export function webpSize(bytes: Uint8Array): Size {
  const name = latin1(bytes, 12, 4);
  if (name === "VP8X") return { width: u24le(bytes, 24) + 1, height: u24le(bytes, 27) + 1 };
  return frameSize(bytes, { name, data: 20, end: bytes.length }) ?? { width: 0, height: 0 };
}

/** Exif orientation 1–8 of the `EXIF` chunk; 1 where there is none. */
export function webpOrientation(bytes: Uint8Array): number {
  for (const { name, data, end } of riffChunks(bytes, 12, bytes.length)) {
    if (name !== "EXIF") continue;
    // Some writers keep the prefix that the block has in a JPEG.
    const from = latin1(bytes, data, 6) === "Exif\0\0" ? data + 6 : data;
    return orientationIn(readTiffTags(bytes.subarray(from, end)));
  }
  return 1;
}

/**
 * The greatest width and height of any frame, as the frames themselves say: a decoder allocates by them, whatever the
 * canvas claims. `undefined` where fewer bytes are there than the file says of itself, or no frame.
 */
export function webpLargestFrame(bytes: Uint8Array): Size | undefined {
  const end = 8 + u32le(bytes, 4);
  if (end > bytes.length) return undefined;
  let width = 0;
  let height = 0;
  const see = (chunk: RiffChunk) => {
    const size = frameSize(bytes, chunk);
    width = Math.max(width, size?.width ?? 0);
    height = Math.max(height, size?.height ?? 0);
  };
  for (const chunk of riffChunks(bytes, 12, end)) {
    see(chunk);
    if (chunk.name !== "ANMF") continue;
    for (const nested of riffChunks(bytes, chunk.data + 16, chunk.end)) see(nested);
  }
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function frameSize(bytes: Uint8Array, { name, data }: RiffChunk): Size | undefined {
  if (name === "VP8 ") return { width: u16le(bytes, data + 6) & 0x3fff, height: u16le(bytes, data + 8) & 0x3fff };
  if (name !== "VP8L" || u8(bytes, data) !== 0x2f) return undefined;
  const bits = u32le(bytes, data + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function* riffChunks(bytes: Uint8Array, from: number, to: number): Generator<RiffChunk> {
  for (let at = from; at + 8 <= to;) {
    const length = u32le(bytes, at + 4);
    const end = at + 8 + length;
    if (end > to) return;
    yield { name: latin1(bytes, at, 4), data: at + 8, end };
    at = end + (length & 1);
  }
}
