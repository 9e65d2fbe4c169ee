import { type Size, u16le, u32le } from "./bytes.ts";

/** Length of the old header with 16-bit sizes; all later ones have 32-bit sizes in the same place. */
const CORE_HEADER = 12;
const HEADERS = new Set([CORE_HEADER, 40, 52, 56, 64, 108, 124]);

/** `BM` alone begins many texts. */
export function isBmpHeader(bytes: Uint8Array): boolean {
  return HEADERS.has(u32le(bytes, 14));
}

/** Microsoft's BITMAPINFOHEADER: rows are stored top down where the height is negative. */
export function bmpSize(bytes: Uint8Array): Size {
  if (u32le(bytes, 14) === CORE_HEADER) return { width: u16le(bytes, 18), height: u16le(bytes, 20) };
  return { width: u32le(bytes, 18) | 0, height: Math.abs(u32le(bytes, 22) | 0) };
}

/** Whether all rows are there; of run-length coded pictures, whether the file is as long as it says. */
export function bmpIsComplete(bytes: Uint8Array): boolean {
  const core = u32le(bytes, 14) === CORE_HEADER;
  const compression = core ? 0 : u32le(bytes, 30);
  if (compression !== 0 && compression !== 3) return bytes.length >= u32le(bytes, 2);
  const bitsPerPixel = u16le(bytes, core ? 24 : 28);
  const { width, height } = bmpSize(bytes);
  return u32le(bytes, 10) + Math.ceil((width * bitsPerPixel) / 32) * 4 * height <= bytes.length;
}
