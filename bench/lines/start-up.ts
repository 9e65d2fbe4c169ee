import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { LocalWorker } from "../../local/boot.ts";
import { WORKER_FOLDER } from "../../local/folders.ts";
import { bootPassThrough, bootSluice, passThroughSearch, sluiceSearch } from "../contestants.ts";
import { load, type Target } from "../load.ts";
import { median } from "../statistics.ts";
import type { StubUpstream } from "../stub-client.ts";
import { ms, type Row } from "../table.ts";

const ROUNDS = 5;
const BUNDLE_LIMIT = 1_000_000;

/** From nothing to the first answer, and what has to be loaded for it. */
export async function startUp(stub: StubUpstream): Promise<Row[]> {
  await stub.set({ latencyMs: 0 });
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await firstAnswer(() => bootSluice(stub), sluiceSearch));
    bare.push(await firstAnswer(() => bootPassThrough(stub), passThroughSearch));
  }
  const size = await bundleBytes();
  return [
    {
      what: "Start of Miniflare to the first answer",
      figure: ms(median(ours)),
      against: `${ms(median(bare))} of the pass-through`,
      target: "",
    },
    {
      what: "Bundle, gzipped",
      figure: `${Math.round(size / 1_000)} kB`,
      against: "Photon's WASM is 625 kB of it",
      target: "1,000 kB",
      holds: size <= BUNDLE_LIMIT,
    },
  ];
}

async function firstAnswer(boot: () => Promise<LocalWorker>, target: (worker: LocalWorker) => Target): Promise<number> {
  const begin = performance.now();
  const worker = await boot();
  try {
    await load(target(worker), 1, 1);
    return performance.now() - begin;
  } finally {
    await worker.close();
  }
}

async function bundleBytes(): Promise<number> {
  const files = (await readdir(WORKER_FOLDER)).filter((name) => /\.(?:js|wasm)$/.test(name));
  const sizes = await Promise.all(
    files.map(async (name) => gzipSync(await readFile(join(WORKER_FOLDER, name))).byteLength),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
