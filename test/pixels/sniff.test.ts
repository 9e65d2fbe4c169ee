import { describe, expect, it } from "vitest";
import { readJpegHeader } from "../../src/pixels/jpeg.ts";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { checkStructure } from "../../src/pixels/structure.ts";
import { animated, ascii, type Bytes, bytesOf, grayBmp, multiPicture, patched, photograph } from "./pictures.ts";

const photo = () => photograph("nagasaki-boats", 240, 160);

const PICTURES: readonly (readonly [name: string, kind: string, make: () => Promise<Bytes>])[] = [
  ["baseline JPEG", "jpeg", () => bytesOf(photo().jpeg())],
  ["progressive JPEG", "jpeg", () => bytesOf(photo().jpeg({ progressive: true }))],
  ["CMYK JPEG", "jpeg", () => bytesOf(photo().toColourspace("cmyk").jpeg())],
  ["PNG", "png", () => bytesOf(photo().png())],
  ["16-bit PNG", "png", () => bytesOf(photo().toColourspace("rgb16").png())],
  ["lossy WebP", "webp", () => bytesOf(photo().webp())],
  ["lossless WebP", "webp", () => bytesOf(photo().webp({ lossless: true }))],
  ["WebP with alpha", "webp", () => bytesOf(photo().ensureAlpha(0.5).webp())],
  ["GIF", "gif", () => bytesOf(photo().gif())],
  ["BMP", "bmp", async () => grayBmp(240, 160)],
  ["TIFF", "tiff", () => bytesOf(photo().tiff({ compression: "lzw" }))],
];

describe("sniffImage", () => {
  it.each(PICTURES)("knows a %s and its size, and finds it complete", async (_, kind, make) => {
    const bytes = await make();
    const image = sniffImage(bytes);
    expect(image).toMatchObject({ kind, width: 240, height: 160, orientation: 1 });
    if (image.kind !== "refused") expect(checkStructure(bytes, image)).toBeUndefined();
  });

  it.each(PICTURES)("finds out that a %s is cut off, wherever the cut is", async (_, _kind, make) => {
    const whole = await make();
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      const image = sniffImage(cut);
      if (image.kind === "refused") throw new Error("its kind can still be seen");
      expect(checkStructure(cut, image)).toMatchObject({ reason: "truncated" });
    }
  });

  it("tells a multi-picture JPEG from one with other bytes after its end", async () => {
    const jpeg = await bytesOf(photo().jpeg());
    const two = multiPicture(jpeg, jpeg);
    const trailed = concat(jpeg, ascii("\xff\xd0 camera notes"));
    for (const [bytes, kind] of [
      [two, "mpo"],
      [trailed, "jpeg"],
    ] as const) {
      const image = sniffImage(bytes);
      expect(image).toMatchObject({ kind, width: 240, height: 160 });
      if (image.kind !== "refused") expect(checkStructure(bytes, image)).toBeUndefined();
    }
  });

  it.each(["gif", "webp"] as const)("takes an animated %s by its canvas", async (format) => {
    const bytes = await animated(format);
    const image = sniffImage(bytes);
    expect(image).toMatchObject({ kind: format, width: 120, height: 80 });
    if (image.kind !== "refused") expect(checkStructure(bytes, image)).toBeUndefined();
  });

  it.each([5, 6, 7, 8])("answers the size as it is shown under Exif orientation %i", async (orientation) => {
    for (const picture of [photo().jpeg(), photo().webp(), photo().tiff({ compression: "lzw" }), photo().png()]) {
      const image = sniffImage(await bytesOf(picture.withMetadata({ orientation })));
      expect(image).toMatchObject({ width: 160, height: 240, orientation });
    }
  });

  it("knows the kind of a JPEG from its first kilobytes even where its size lies further back", async () => {
    const whole = await bytesOf(photo().jpeg());
    const exif = ascii(`\xff\xe1\x7f\xffExif\0\0${"\0".repeat(0x7fff - 8)}`);
    const padded = concat(whole.subarray(0, 2), exif, whole.subarray(2));
    expect(sniffImage(padded)).toMatchObject({ kind: "jpeg", width: 240, height: 160 });
    expect(sniffImage(padded.subarray(0, 4096))).toMatchObject({ kind: "jpeg", width: 0, height: 0 });
  });

  it.each([
    ["empty", ""],
    ["html", "<!DOCTYPE html><html><body>Not found</body></html>"],
    ["html", "\xef\xbb\xbf\n  <html lang=en><svg></svg>"],
    ["html", "<!-- cached --><HTML>"],
    ["svg", '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ["pdf", "%PDF-1.7\n"],
    ["avif", "\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf"],
    ["avif", "\0\0\0\x18ftypmif1\0\0\0\0mif1avif"],
    ["heic", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["jxl", "\xff\x0a\xfa\x7f"],
    ["unknown", "\0\0\0\x18ftypisom\0\0\0\0isommp41"],
    ["unknown", '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
    ["unknown", "BMW and other makes of car, a text of some length"],
    ["unknown", '{"error": "forbidden"}'],
  ])("refuses what is no raster picture as %s", (reason, text) => {
    expect(sniffImage(ascii(text))).toMatchObject({ kind: "refused", reason, detail: expect.stringMatching(/\w/) });
  });

  it("refuses frames that are larger than their picture claims", async () => {
    const webp = await animated("webp");
    const frame = Buffer.from(webp).indexOf("ANMF");
    // Behind the frame's own header stands the bitstream, whose size is what a decoder allocates.
    const bitstream = Buffer.from(webp).indexOf("VP8 ", frame);
    const inflated = patched(webp, bitstream + 14, [0xff, 0x3f, 0xff, 0x3f]);
    const gif = await bytesOf(photo().gif());
    const screen = patched(gif, 6, [10, 0, 10, 0]);
    for (const bytes of [inflated, screen]) {
      const image = sniffImage(bytes);
      if (image.kind === "refused") throw new Error("its kind can be seen");
      expect(checkStructure(bytes, image)).toMatchObject({ reason: "malformed" });
    }
  });

  it("is not kept busy by millions of tiny parts", async () => {
    const heads = [
      concat(ascii("\xff\xd8"), many("\xff\xe0\0\x02")),
      concat((await bytesOf(photo().png())).subarray(0, 33), many("\0\0\0\0teXt\0\0\0\0")),
      concat(ascii("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x09\0\0\x09\0\0"), many("JUNK\0\0\0\0")),
      concat(ascii("GIF89a\x0a\0\x0a\0\0\0\0"), many("\x2c\0\0\0\0\x0a\0\x0a\0\0\x02\0")),
    ];
    for (const bytes of heads) {
      const image = sniffImage(bytes);
      if (image.kind === "refused") throw new Error("its kind can be seen");
      expect(checkStructure(bytes, image)).toMatchObject({ kind: "refused" });
    }
    expect(readJpegHeader(heads[0]!).segments.length).toBeLessThan(10_000);
  });

  it("refuses a JPEG with a second frame header", async () => {
    const jpeg = await bytesOf(photo().jpeg());
    const frame = Buffer.from(jpeg).indexOf(Buffer.from([0xff, 0xc0]));
    const small = patched(jpeg.subarray(frame, frame + 19), 5, [0, 8, 0, 8]);
    const bytes = concat(jpeg.subarray(0, frame), small, jpeg.subarray(frame));
    const image = sniffImage(bytes);
    if (image.kind === "refused") throw new Error("its kind can be seen");
    expect(checkStructure(bytes, image)).toMatchObject({ reason: "malformed" });
  });
});

function many(part: string): Buffer {
  return Buffer.from(part.repeat(2_000_000), "latin1");
}

function concat(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}
