import { latin1, type Size, u32be, u8 } from "./bytes.ts";
import { orientationIn, readTiffTags } from "./tiff.ts";

/** W3C PNG, section 5: length, type, data, CRC of type and data. */
interface PngChunk {
  readonly type: string;
  readonly data: number;
  readonly end: number;
}

export function pngSize(bytes: Uint8Array): Size {
  if (latin1(bytes, 12, 4) !== "IHDR") return { width: 0, height: 0 };
  return { width: u32be(bytes, 16), height: u32be(bytes, 20) };
}

/** Exif orientation 1–8 of the `eXIf` chunk; 1 where there is none. */
export function pngOrientation(bytes: Uint8Array): number {
  for (const { type, data, end } of pngChunks(bytes)) {
    if (type === "eXIf") return orientationIn(readTiffTags(bytes.subarray(data, end)));
  }
  return 1;
}

/** Whether chunks follow each other from header to end, with picture data between. */
export function pngIsComplete(bytes: Uint8Array): boolean {
  let last = "";
  let hasData = false;
  for (const { type } of pngChunks(bytes)) {
    if (last === "" && type !== "IHDR") return false;
    if (type === "IDAT") hasData = true;
    last = type;
  }
  return hasData && last === "IEND";
}

/** Whether the chunks are as they were written. Photon traps on those that are not, and a trap loses memory. */
export function pngIsIntact(bytes: Uint8Array): boolean {
  for (const { data, end } of pngChunks(bytes)) {
    if (crc32(bytes, data - 4, end) !== u32be(bytes, end)) return false;
  }
  return true;
}

function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + u32be(bytes, at);
    if (end + 4 > bytes.length) return;
    const type = latin1(bytes, at + 4, 4);
    yield { type, data: at + 8, end };
    if (type === "IEND") return;
    at = end + 4;
  }
}

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0xffff_ffff;
  for (let at = from; at < to; at++) crc = CRC_OF_BYTE[(crc ^ u8(bytes, at)) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}
