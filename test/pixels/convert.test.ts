import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { fitToFilename, type FittedImage } from "../../src/pixels/convert.ts";
import { makePreview } from "../../src/pixels/preview.ts";
import { sniffImage } from "../../src/pixels/sniff.ts";
import {
  animated,
  blackPng,
  type Bytes,
  bytesOf,
  cornerLetters,
  difference,
  multiPicture,
  photograph,
  quarters,
} from "./pictures.ts";

const photo = () => photograph("march-pastoral", 300, 200);

describe("fitToFilename", () => {
  it.each([
    ["jpg", () => bytesOf(photo().jpeg().withMetadata({ orientation: 6 }))],
    ["jpeg", () => bytesOf(photo().jpeg({ progressive: true }))],
    ["png", () => bytesOf(photo().png())],
    ["webp", () => animated("webp")],
  ] as const)("leaves a .%s untouched that is one", async (extension, make) => {
    const bytes = await make();
    expect(fit(bytes, extension).bytes).toBe(bytes);
  });

  it.each([
    ["png", "jpg", "image/jpeg"],
    ["webp", "jpeg", "image/jpeg"],
    ["gif", "jpg", "image/jpeg"],
    ["jpeg", "png", "image/png"],
    ["jpeg", "webp", "image/webp"],
    ["png", "webp", "image/webp"],
  ] as const)("turns %s into .%s with the same picture", async (from, extension, contentType) => {
    const bytes = await bytesOf(photo().toFormat(from));
    const fitted = fit(bytes, extension);
    expect(fitted).toMatchObject({ contentType, width: 300, height: 200 });
    expect(sniffImage(fitted.bytes)).toMatchObject({ mime: contentType, width: 300, height: 200 });
    expect(await difference(fitted.bytes, bytes)).toBeLessThan(3);
  });

  it("puts transparency on white where the new type has none, and keeps it where it has", async () => {
    const clear = await bytesOf(
      sharp({ create: { width: 64, height: 64, channels: 4, background: "#ff000080" } }).png(),
    );
    expect(Array.from((await sharp(fit(clear, "jpg").bytes).raw().toBuffer()).subarray(0, 3))).toEqual([
      expect.closeTo(255, -0.5),
      expect.closeTo(127, -0.5),
      expect.closeTo(127, -0.5),
    ]);
    expect(Array.from((await sharp(fit(clear, "webp").bytes).raw().toBuffer()).subarray(0, 4))).toEqual([
      255, 0, 0, 128,
    ]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("applies Exif orientation %i when it encodes anew", async (orientation) => {
    const bytes = await bytesOf((await quarters(96, 64)).jpeg({ quality: 95 }).withMetadata({ orientation }));
    const shown = await cornerLetters(await bytesOf(sharp(bytes).autoOrient().png()));
    const size = orientation >= 5 ? { width: 64, height: 96 } : { width: 96, height: 64 };
    const png = fit(bytes, "png");
    expect(png).toMatchObject(size);
    expect(await cornerLetters(png.bytes)).toBe(shown);
    const preview = makePreview(bytes, 48);
    if ("reason" in preview) throw new Error(preview.detail);
    expect(await cornerLetters(preview.jpeg)).toBe(shown);
    expect(preview.width < preview.height).toBe(orientation >= 5);
  });

  it("cuts a multi-picture file to its first picture without touching a pixel or the orientation", async () => {
    const first = await bytesOf(photo().jpeg().withMetadata({ orientation: 6 }));
    const both = multiPicture(first, await bytesOf(photo().negate().jpeg()));
    const fitted = fit(both, "jpg");
    expect(fitted).toMatchObject({ contentType: "image/jpeg", width: 200, height: 300 });
    expect(Buffer.compare(fitted.bytes, first)).toBe(0);
    expect(fit(fitted.bytes, "jpg").bytes).toBe(fitted.bytes);
  });

  it("refuses to convert what is over the pixel budget, and does not mind it untouched", () => {
    const bomb = blackPng(20_000, 20_000);
    expect(fit(bomb, "png").bytes).toBe(bomb);
    expect(convert(bomb, "jpg")).toMatchObject({ reason: "too-large", detail: expect.stringContaining("20000x20000") });
  });

  it("refuses types that it cannot write", async () => {
    expect(convert(await bytesOf(photo().png()), "gif")).toMatchObject({ reason: "unsupported" });
  });
});

describe("makePreview", () => {
  it("keeps proportions within the longest side and never scales up", async () => {
    expect(makePreview(await bytesOf(photo().png()), 150)).toMatchObject({ width: 150, height: 100 });
    expect(makePreview(await bytesOf(photo().png()), 960)).toMatchObject({ width: 300, height: 200 });
  });

  it("gives a JPEG back as it is that needs nothing done", async () => {
    const bytes = await bytesOf(photo().jpeg());
    expect(makePreview(bytes, 300)).toEqual({ jpeg: bytes, width: 300, height: 200 });
  });

  it("scales a large picture as faithfully as a reference implementation", async () => {
    const large = await bytesOf(photograph("black-canyon", 2400, 1600).jpeg({ quality: 90 }));
    const preview = makePreview(large, 600);
    if ("reason" in preview) throw new Error(preview.detail);
    expect(preview).toMatchObject({ width: 600, height: 400 });
    expect(await difference(preview.jpeg, await bytesOf(sharp(large).resize(600, 400).png()))).toBeLessThan(3);
  });

  it("shows a CMYK JPEG in its colors, not in their negative", async () => {
    const cmyk = await bytesOf((await quarters(96, 64)).toColourspace("cmyk").jpeg());
    const preview = makePreview(cmyk, 48);
    if ("reason" in preview) throw new Error(preview.detail);
    const { data } = await sharp(preview.jpeg).raw().toBuffer({ resolveWithObject: true });
    const redQuarter = data.subarray((8 * 48 + 12) * 3, (8 * 48 + 12) * 3 + 3);
    expect(redQuarter[0]).toBeGreaterThan(200);
    expect(Math.max(redQuarter[1]!, redQuarter[2]!)).toBeLessThan(100);
  });
});

function convert(bytes: Bytes, extension: string): ReturnType<typeof fitToFilename> {
  const image = sniffImage(bytes);
  return image.kind === "refused" ? image : fitToFilename(bytes, image, extension);
}

function fit(bytes: Bytes, extension: string): FittedImage {
  const result = convert(bytes, extension);
  if ("reason" in result) throw new Error(result.detail);
  return result;
}
