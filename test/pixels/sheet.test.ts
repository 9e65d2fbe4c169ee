import { mkdirSync, writeFileSync } from "node:fs";
import { initPhoton } from "@cf-wasm/photon";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { makeReviewSheet, type ReviewSheet, type SheetCell } from "../../src/pixels/sheet.ts";
import { ascii, bytesOf, photograph, quarters } from "./pictures.ts";
import { eightCells } from "./sheet-cells.ts";

/** Cells of a full sheet: 32 pixels apart, 360 wide. */
const COLUMN = 392;
const MARGIN = 32;
const CELL = 360;
/** Frames of the sheet of eight: in both rows the tallest picture takes all the height there is. */
const ROWS = [
  { top: 32, height: 300 },
  { top: 448, height: 300 },
];

/** Gray levels of the sheet of eight, 16 × 8, so that no change of its look goes unseen. */
const THUMBNAIL = [
  [243, 241, 241, 241, 247, 184, 175, 241, 243, 247, 242, 206, 242, 249, 247, 246],
  [138, 84, 99, 103, 246, 151, 106, 251, 111, 116, 108, 83, 250, 235, 235, 248],
  [177, 137, 146, 165, 242, 216, 206, 254, 127, 118, 123, 142, 238, 241, 240, 245],
  [225, 252, 255, 254, 209, 232, 245, 246, 219, 253, 255, 247, 218, 253, 254, 254],
  [250, 175, 162, 235, 250, 240, 239, 249, 212, 207, 191, 207, 244, 237, 235, 242],
  [220, 115, 112, 204, 194, 119, 118, 180, 193, 177, 120, 150, 150, 126, 129, 172],
  [233, 177, 168, 244, 171, 89, 97, 168, 198, 196, 202, 207, 217, 223, 226, 236],
  [225, 248, 253, 255, 212, 229, 242, 245, 222, 250, 255, 248, 219, 244, 247, 252],
].flat();

describe("the review sheet", () => {
  let sheet: ReviewSheet;
  let pixels: Pixels;
  beforeAll(async () => {
    sheet = makeReviewSheet(await eightCells());
    pixels = await pixelsOf(sheet);
    mkdirSync("test-results", { recursive: true });
    writeFileSync("test-results/review_sheet.jpg", sheet.jpeg);
  });

  it("is a JPEG of the size that it says, four columns wide, its longest side at most 1600 pixels", async () => {
    const { format, width, height } = await sharp(sheet.jpeg).metadata();
    expect({ format, width, height }).toEqual({ format: "jpeg", width: sheet.width, height: sheet.height });
    expect(sheet.width).toBe(1600);
    expect(sheet.height).toBeLessThan(1600);
  });

  it("stands on white", () => {
    for (let column = 0; column <= 4; column++) {
      const gap = pixels.area(column * COLUMN + 4, 0, MARGIN - 8, sheet.height);
      expect(Math.min(...gap)).toBeGreaterThan(247);
    }
  });

  it("has a picture and a label in every cell", () => {
    for (let column = 0; column < 4; column++) {
      const left = MARGIN + column * COLUMN;
      for (const { top, height } of ROWS) {
        expect(spread(pixels.area(left + 40, top + height * 0.4, CELL - 80, height * 0.2))).toBeGreaterThan(60);
        // The badge is dark and the number on it light; beside it stand two lines of text.
        const badge = pixels.area(left + 4, top + height + 12, 36, 36);
        expect(median(badge)).toBeLessThan(60);
        expect(Math.max(...badge)).toBeGreaterThan(200);
        for (const line of [9, 31]) {
          const text = pixels.area(left + 52, top + height + line, 200, 22);
          expect(Math.min(...text)).toBeLessThan(140);
          expect(median(text)).toBeGreaterThan(240);
        }
      }
    }
  });

  it("marks near matches in yellow, and only those", () => {
    const marked = ROWS.map(({ top, height }) =>
      [0, 1, 2, 3].map((column) => pixels.isYellow(MARGIN + column * COLUMN + CELL - 12, top + height + 69)),
    );
    expect(marked).toEqual([
      [false, true, false, false],
      [false, true, false, true],
    ]);
  });

  it("crosses out in red what could not be read", () => {
    const crossed = [0, 1, 2, 3].map((column) => pixels.isRed(MARGIN + column * COLUMN + CELL / 4, 32 + 300 / 4));
    expect(crossed).toEqual([false, false, false, true]);
  });

  it("looks as it looked when a person last approved of it", async () => {
    const levels = await sharp(sheet.jpeg).grayscale().resize(16, 8, { fit: "fill" }).raw().toBuffer();
    expect(levels.length).toBe(THUMBNAIL.length);
    const furthest = Math.max(...Array.from(levels, (level, index) => Math.abs(level - THUMBNAIL[index]!)));
    expect(furthest).toBeLessThanOrEqual(6);
  });

  it("shows pictures upright, on white where they are transparent, and never larger than they are", async () => {
    const turned = await bytesOf((await quarters(200, 100)).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }));
    const clear = await bytesOf(
      sharp({ create: { width: 80, height: 80, channels: 4, background: "#00000000" } }).png(),
    );
    const made = await pixelsOf(makeReviewSheet([cell(1, turned), cell(2, clear)]));
    // The picture, 100 × 200 when upright, stands in the middle of a frame of 360 × 200.
    const center = (x: number, y: number) =>
      made.at(MARGIN + 130 + x, MARGIN + y).map((level) => (level > 127 ? 1 : 0));
    expect([center(25, 50), center(75, 50), center(25, 150), center(75, 150)]).toEqual([
      [0, 0, 1],
      [1, 0, 0],
      [1, 1, 1],
      [0, 1, 0],
    ]);
    expect(made.at(MARGIN + 120, MARGIN + 100)[0]).toBeGreaterThan(240);
    expect(made.at(MARGIN + COLUMN + 180, MARGIN + 100)).toEqual([255, 255, 255]);
  });

  it("grows narrow with few cells, and takes narrower columns rather than pass 1600 pixels", async () => {
    const tall = await bytesOf(photograph("allium-oreophilum", 300, 600).jpeg());
    for (const count of [0, 1, 3, 8, 12, 20, 24, 64]) {
      const { width, height } = makeReviewSheet(Array.from({ length: count }, (_, index) => cell(index + 1, tall)));
      expect(width).toBe(count <= 4 ? 32 + Math.max(1, count) * COLUMN : width);
      expect(Math.max(width, height)).toBeLessThanOrEqual(1600);
    }
  });

  it("does not let what it cannot read pass for an empty cell", async () => {
    const broken: SheetCell[] = [cell(1, ascii("<html>404</html>")), cell(2, { unreadable: "重慶" })];
    const made = await pixelsOf(makeReviewSheet(broken));
    for (const left of [MARGIN, MARGIN + COLUMN]) expect(made.isRed(left + CELL / 4, MARGIN + 240 / 4)).toBe(true);
  });
});

describe("memory", () => {
  it("stays under 64 MiB of WASM over 200 sheets", async () => {
    const preview = await bytesOf(photograph("nagasaki-boats", 960, 640).jpeg({ quality: 85 }));
    const { memory } = await initPhoton.ensure();
    makeReviewSheet(await eightCells());
    const afterFirst = memory.buffer.byteLength;
    for (let round = 0; round < 200; round++) makeReviewSheet([cell(1, preview)]);
    makeReviewSheet(await eightCells());
    expect(memory.buffer.byteLength).toBeLessThan(64 * 1024 * 1024);
    expect(memory.buffer.byteLength - afterFirst).toBeLessThan(2 * 1024 * 1024);
  });
});

interface Pixels {
  readonly height: number;
  at(x: number, y: number): readonly number[];
  /** Levels of one channel, row by row. */
  area(left: number, top: number, width: number, height: number): readonly number[];
  isYellow(x: number, y: number): boolean;
  isRed(x: number, y: number): boolean;
}

async function pixelsOf({ jpeg, width, height }: ReviewSheet): Promise<Pixels> {
  const data = await sharp(jpeg).raw().toBuffer();
  const at = (x: number, y: number) => Array.from(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3));
  return {
    height,
    at,
    area: (left, top, across, down) =>
      Array.from({ length: Math.floor(across) * Math.floor(down) }, (_, index) => {
        const x = Math.floor(left) + (index % Math.floor(across));
        return at(x, Math.floor(top) + Math.floor(index / Math.floor(across)))[1]!;
      }),
    isYellow: (x, y) => at(x, y)[0]! > 240 && at(x, y)[2]! < 215,
    isRed: (x, y) => at(x, y)[0]! > 170 && at(x, y)[1]! < 110,
  };
}

function cell(rank: number, image: SheetCell["image"]): SheetCell {
  return {
    rank,
    provider: "wikimedia",
    tier: "attribution-required",
    originalWidth: 3000,
    originalHeight: 2000,
    image,
  };
}

function median(levels: readonly number[]): number {
  return levels.toSorted((a, b) => a - b)[Math.floor(levels.length / 2)]!;
}

function spread(levels: readonly number[]): number {
  return Math.max(...levels) - Math.min(...levels);
}
