import { initPhoton } from "@cf-wasm/photon";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makePreview } from "../../src/pixels/preview.ts";
import { makeReviewSheet } from "../../src/pixels/sheet.ts";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { checkStructure } from "../../src/pixels/structure.ts";
import {
  animated,
  ascii,
  blackPng,
  type Bytes,
  bytesOf,
  grayBmp,
  multiPicture,
  patched,
  photograph,
} from "./pictures.ts";

/** Smaller than the pictures, so that each is really decoded. */
const SIDE = 120;
const photo = () => photograph("black-canyon", 240, 160);
const wide = { width: 120, height: 80 };

const READABLE: readonly (readonly [name: string, make: () => Promise<Bytes>, size: object])[] = [
  ["CMYK JPEG", () => bytesOf(photo().toColourspace("cmyk").jpeg()), wide],
  ["progressive JPEG", () => bytesOf(photo().jpeg({ progressive: true })), wide],
  ["gray JPEG", () => bytesOf(photo().grayscale().jpeg()), wide],
  ["multi-picture JPEG", async () => multiPicture(await bytesOf(photo().jpeg()), await bytesOf(photo().jpeg())), wide],
  [
    "JPEG with damaged picture data",
    async () => patched(await bytesOf(photo().jpeg()), 3000, [1, 2, 3, 4, 5, 6]),
    wide,
  ],
  ["16-bit PNG", () => bytesOf(photo().toColourspace("rgb16").png()), wide],
  ["palette PNG with alpha", () => bytesOf(photo().ensureAlpha(0.5).png({ palette: true })), wide],
  ["animated GIF", () => animated("gif"), wide],
  ["animated WebP", () => animated("webp"), wide],
  ["BMP", async () => grayBmp(240, 160), wide],
  ["LZW TIFF", () => bytesOf(photo().tiff({ compression: "lzw" })), wide],
];

const REFUSED: readonly (readonly [name: string, make: () => Promise<Bytes>, reason: string])[] = [
  ["no bytes", async () => ascii(""), "empty"],
  ["HTML named .jpg", async () => ascii("<!doctype html><title>404</title>"), "html"],
  ["SVG", async () => ascii('<svg xmlns="http://www.w3.org/2000/svg"/>'), "svg"],
  ["AVIF", () => bytesOf(photo().avif()), "avif"],
  ["truncated JPEG", () => half(bytesOf(photo().jpeg())), "truncated"],
  ["truncated PNG", () => half(bytesOf(photo().png())), "truncated"],
  ["truncated WebP", () => half(bytesOf(photo().webp())), "truncated"],
  ["PNG bomb", async () => blackPng(20_000, 20_000), "too-large"],
  ["PNG of no width", async () => blackPng(0, 10), "malformed"],
  ["PNG with a flipped bit", async () => patched(await bytesOf(photo().png()), 4000, [0x55, 0xaa]), "unreadable"],
  ["JPEG without its tables", () => withoutHuffmanTables(bytesOf(photo().jpeg())), "unreadable"],
  ["12-bit JPEG", () => withPrecision(bytesOf(photo().jpeg()), 12), "unsupported"],
  ["CMYK TIFF", () => bytesOf(photo().toColourspace("cmyk").tiff({ compression: "lzw" })), "unsupported"],
  ["JPEG in TIFF", () => bytesOf(photo().tiff({ compression: "jpeg" })), "unsupported"],
];

describe("pictures from anywhere", () => {
  let good: Bytes;
  beforeAll(async () => {
    good = await bytesOf(photo().png());
  });

  it.each(READABLE)("shows a %s", async (_, make, size) => {
    expect(makePreview(await make(), SIDE)).toMatchObject(size);
    expect(makePreview(good, SIDE), "the next picture").toMatchObject(wide);
  });

  it.each(REFUSED)("refuses %s with a reason", async (_, make, reason) => {
    const bytes = await make();
    expect(makePreview(bytes, SIDE)).toMatchObject({ kind: "refused", reason, detail: expect.stringMatching(/\w/) });
    expect(makeReviewSheet([cellOf(bytes)]).width).toBeGreaterThan(360);
    expect(makePreview(good, SIDE), "the next picture").toMatchObject(wide);
  });

  it("loses no memory over damaged pictures", async () => {
    const damaged = patched(await bytesOf(photograph("black-canyon", 480, 320).png()), 40_000, [0x55, 0xaa, 0x55]);
    const { memory } = await initPhoton.ensure();
    const before = memory.buffer.byteLength;
    for (let round = 0; round < 60; round++) expect(makePreview(damaged, SIDE)).toMatchObject({ reason: "unreadable" });
    expect(memory.buffer.byteLength - before).toBeLessThan(4 * 1024 * 1024);
  });

  it("answers on any bytes, also behind the beginning of a format", () => {
    const beginnings = [
      "",
      "\xff\xd8\xff\xe0",
      "\x89PNG\r\n\x1a\n",
      "RIFF\x40\0\0\0WEBPVP8X",
      "GIF89a",
      "BM",
      "II*\0",
      "MM\0*",
    ];
    const anything = fc
      .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 400 }))
      .map(([beginning, rest]) => new Uint8Array(Buffer.concat([ascii(beginning), rest])));
    fc.assert(
      fc.property(anything, (bytes) => expectAnswer(bytes)),
      { numRuns: 400 },
    );
    expect(makePreview(good, SIDE), "the next picture").toMatchObject(wide);
  });

  it("answers on pictures with any bytes changed", async () => {
    const small = photograph("dust-bowl-home", 48, 32);
    const wholes = await Promise.all([
      bytesOf(small.clone().jpeg()),
      bytesOf(small.clone().png()),
      bytesOf(small.clone().webp()),
      bytesOf(small.clone().gif()),
      bytesOf(small.clone().tiff({ compression: "lzw" })),
      grayBmp(48, 32),
    ]);
    const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.constantFrom(...wholes), damage, (whole, changes) => {
        const bytes = new Uint8Array(whole);
        for (const [where, value] of changes) bytes[Math.floor(where * bytes.length)] = value;
        expectAnswer(bytes);
      }),
      { numRuns: 300 },
    );
    expect(makePreview(good, SIDE), "the next picture").toMatchObject(wide);
  });
});

function expectAnswer(bytes: Bytes): void {
  const image = sniffImage(bytes);
  if (image.kind !== "refused") checkStructure(bytes, image);
  const preview = makePreview(bytes, 16);
  if ("reason" in preview) expect(preview.detail).not.toBe("");
  else expect(Math.max(preview.width, preview.height)).toBeLessThanOrEqual(16);
}

function cellOf(image: Bytes): Parameters<typeof makeReviewSheet>[0][number] {
  return { rank: 1, provider: "openverse", tier: "no-attribution", originalWidth: 1, originalHeight: 1, image };
}

async function half(whole: Promise<Bytes>): Promise<Bytes> {
  const bytes = await whole;
  return bytes.slice(0, bytes.length / 2);
}

async function withoutHuffmanTables(whole: Promise<Bytes>): Promise<Bytes> {
  const bytes = await whole;
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && bytes[at + 1] !== 0xda; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] !== 0xc4) continue;
    parts.push(bytes.subarray(from, at));
    from = at + 2 + bytes[at + 2]! * 256 + bytes[at + 3]!;
  }
  return new Uint8Array(Buffer.concat([...parts, bytes.subarray(from)]));
}

async function withPrecision(whole: Promise<Bytes>, bits: number): Promise<Bytes> {
  const bytes = await whole;
  return patched(bytes, Buffer.from(bytes).indexOf(Buffer.from([0xff, 0xc0])) + 4, [bits]);
}
