import { type Size, u16le, u8 } from "./bytes.ts";

/** Of the logical screen (GIF89a, section 18). */
export function gifSize(bytes: Uint8Array): Size {
  return { width: u16le(bytes, 6), height: u16le(bytes, 8) };
}

/** How far the frames reach together; `undefined` where blocks do not follow each other to the trailer, or no frame. */
export function gifExtent(bytes: Uint8Array): Size | undefined {
  let width = 0;
  let height = 0;
  let at = 13 + colorTableLength(u8(bytes, 10));
  while (at < bytes.length) {
    const block = u8(bytes, at);
    if (block === 0x3b) return width > 0 && height > 0 ? { width, height } : undefined;
    if (block === 0x21) {
      at = afterSubBlocks(bytes, at + 2);
    } else if (block === 0x2c) {
      width = Math.max(width, u16le(bytes, at + 1) + u16le(bytes, at + 5));
      height = Math.max(height, u16le(bytes, at + 3) + u16le(bytes, at + 7));
      at = afterSubBlocks(bytes, at + 11 + colorTableLength(u8(bytes, at + 9)));
    } else {
      return undefined;
    }
  }
  return undefined;
}

function colorTableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function afterSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + u8(bytes, at);
  return at + 1;
}
