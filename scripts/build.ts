/** `npm run build`: bundles the Worker as a deployment does, and says how large it is on the wire. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildWorker } from "../local/boot.ts";
import { WORKER_FOLDER } from "../local/folders.ts";

const LIMIT_BYTES = 1_000_000;

await buildWorker();
let total = 0;
for (const file of (await readdir(WORKER_FOLDER)).filter((name) => /\.(js|wasm)$/.test(name))) {
  const size = gzipSync(await readFile(join(WORKER_FOLDER, file))).byteLength;
  total += size;
  console.log(`${file}: ${kilobytes(size)} gzipped`);
}
console.log(`Bundle: ${kilobytes(total)} gzipped of ${kilobytes(LIMIT_BYTES)} allowed.`);
if (total > LIMIT_BYTES) {
  console.error("The bundle is too large.");
  process.exit(1);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
