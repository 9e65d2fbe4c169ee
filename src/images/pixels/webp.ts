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
  const exif = riffChunks(bytes, 12, bytes.length).find(({ name }) => name === "EXIF");
  if (exif === undefined) return 1;
  // Some writers keep the prefix that the block has in a JPEG.
  const from = latin1(bytes, exif.data, 6) === "Exif\0\0" ? exif.data + 6 : exif.data;
  return orientationIn(readTiffTags(bytes.subarray(from, exif.end)));
}

/** Whether as many bytes are there as the file says of itself. */
export function webpIsComplete(bytes: Uint8Array): boolean {
  const end = 8 + u32le(bytes, 4);
  if (end > bytes.length) return false;
  return webpFrames(bytes).length > 0;
}

/** Sizes of all frames, as the frames themselves say: a decoder allocates by them, whatever the canvas claims. */
export function webpFrames(bytes: Uint8Array): readonly Size[] {
  const top = riffChunks(bytes, 12, Math.min(bytes.length, 8 + u32le(bytes, 4)));
  const nested = top.filter(({ name }) => name === "ANMF").flatMap(({ data, end }) => riffChunks(bytes, data + 16, end));
  return [...top, ...nested].flatMap((chunk) => frameSize(bytes, chunk) ?? []);
}

function frameSize(bytes: Uint8Array, { name, data }: RiffChunk): Size | undefined {
  if (name === "VP8 ") return { width: u16le(bytes, data + 6) & 0x3fff, height: u16le(bytes, data + 8) & 0x3fff };
  if (name !== "VP8L" || u8(bytes, data) !== 0x2f) return undefined;
  const bits = u32le(bytes, data + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function riffChunks(bytes: Uint8Array, from: number, to: number): RiffChunk[] {
  const chunks: RiffChunk[] = [];
  for (let at = from; at + 8 <= to; ) {
    const length = u32le(bytes, at + 4);
    const end = at + 8 + length;
    if (end > to) break;
    chunks.push({ name: latin1(bytes, at, 4), data: at + 8, end });
    at = end + (length & 1);
  }
  return chunks;
}
