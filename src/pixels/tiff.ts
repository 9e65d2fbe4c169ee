import { latin1, type Size, u16be, u16le, u32be, u32le, u8 } from "./bytes.ts";

/** Values of the tags of a first image directory, by tag number. */
export type TiffTags = ReadonlyMap<number, readonly number[]>;

const ORIENTATION = 0x0112;
const WANTED = new Set([0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0111, ORIENTATION, 0x0117, 0x011c, 0x0144, 0x0145]);
/** A strip for every row of the highest picture: a longer list is made to use up memory. */
const MAX_VALUES = 65_536;
const BYTES_PER_VALUE: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4 };

/**
 * The tags that matter here of the first image directory, of a TIFF file or of the Exif block of another format
 * (TIFF 6.0, section 2). `undefined` where there is no directory, not all of it, or
 * one that says a thing twice.
 */
export function readTiffTags(bytes: Uint8Array): TiffTags | undefined {
  const order = latin1(bytes, 0, 4);
  if (order !== "II*\0" && order !== "MM\0*") return undefined;
  const little = order.startsWith("I");
  const u16 = (at: number) => (little ? u16le(bytes, at) : u16be(bytes, at));
  const u32 = (at: number) => (little ? u32le(bytes, at) : u32be(bytes, at));
  const directory = u32(4);
  const count = u16(directory);
  if (directory < 8 || count === 0 || directory + 2 + count * 12 > bytes.length) return undefined;
  const tags = new Map<number, readonly number[]>();
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12) {
    const tag = u16(entry);
    if (!WANTED.has(tag)) continue;
    if (tags.has(tag)) return undefined;
    const size = BYTES_PER_VALUE[u16(entry + 2)];
    const values = u32(entry + 4);
    if (size === undefined || values > MAX_VALUES) continue;
    const from = values * size <= 4 ? entry + 8 : u32(entry + 8);
    if (from + values * size > bytes.length) continue;
    const read = size === 1 ? (at: number) => u8(bytes, at) : size === 2 ? u16 : u32;
    tags.set(
      tag,
      Array.from({ length: values }, (_, index) => read(from + index * size)),
    );
  }
  return tags;
}

/** Exif orientation 1–8; 1 where it is not given or makes no sense. */
export function orientationIn(tags: TiffTags | undefined): number {
  const value = firstOf(tags, ORIENTATION);
  return value !== undefined && value >= 1 && value <= 8 ? value : 1;
}

export function tiffSize(tags: TiffTags): Size {
  return { width: firstOf(tags, 0x0100) ?? 0, height: firstOf(tags, 0x0101) ?? 0 };
}

/** Whether every strip or tile lies within the file. */
export function tiffIsComplete(bytes: Uint8Array, tags: TiffTags): boolean {
  const offsets = tags.get(0x0111) ?? tags.get(0x0144) ?? [];
  const lengths = tags.get(0x0117) ?? tags.get(0x0145) ?? [];
  if (offsets.length === 0 || offsets.length !== lengths.length) return false;
  return offsets.every((offset, index) => offset + lengths[index]! <= bytes.length);
}

/** Gray or RGB, uncompressed, LZW, deflate or PackBits: the rest traps in Photon, or comes out in wrong colors. */
export function tiffIsDecodable(tags: TiffTags): boolean {
  const compression = firstOf(tags, 0x0103) ?? 1;
  const photometric = firstOf(tags, 0x0106) ?? -1;
  const planar = firstOf(tags, 0x011c) ?? 1;
  const bits = tags.get(0x0102) ?? [1];
  return (
    [1, 5, 8, 32_773, 32_946].includes(compression) &&
    [0, 1, 2].includes(photometric) &&
    planar === 1 &&
    bits.every((each) => each === 8 || each === 16)
  );
}

function firstOf(tags: TiffTags | undefined, tag: number): number | undefined {
  return tags?.get(tag)?.[0];
}
