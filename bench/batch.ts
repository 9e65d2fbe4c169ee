/**
 * How close a batch of three slots comes to the best schedule of its rows, and whether a long one keeps its memory.
 * Usage: `npm run bench:batch -- --rows 30`. Beyond 300 rows only memory is measured: the rows are not run one by one.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildWorker } from "../scripts/boot.ts";
import { freePort } from "../scripts/free-port.ts";
import { BatchClient } from "../test/crash/batch-client.ts";
import { pendingRows } from "../test/crash/batch-rows.ts";
import { startFlakyUpstreams } from "../test/crash/flaky-upstreams.ts";
import { startWorkerProcess } from "../test/crash/worker-process.ts";
import { residentBytes } from "./resident-memory.ts";

interface Run {
  /** From the submission to the event that ends the batch, milliseconds. */
  readonly ms: number;
  /** From one row's end to the next one's, milliseconds: at concurrency 1, what each row took. */
  readonly gapsMs: readonly number[];
  /** Resident bytes of workerd, at even distances from begin to end. */
  readonly memory: readonly number[];
  readonly counts: Readonly<Record<string, number>>;
}

const SLOTS = 3;
const LATENCY_MS = 200;
const MOST_TIMED_ROWS = 300;
const SAMPLE_MS = 250;
const WARM_UP_ROWS = 10;
const LIMIT_MS = 30 * 60_000;
const SECRET = `whsec_${btoa("the-secret-of-the-batch-bench-32")}`;

const rows = Number(parseArgs({ options: { rows: { type: "string", default: "30" } } }).values.rows);
if (!Number.isInteger(rows) || rows < 8 || rows > 1_000) throw new Error("--rows must be a number from 8 to 1000.");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await buildWorker();
const state = await mkdtemp(join(tmpdir(), "sluice-bench-"));
const upstreams = await startFlakyUpstreams({ latencyMs: LATENCY_MS, faultRate: 0, random: () => 0 });
const worker = await startWorkerProcess({ port: await freePort(), state, upstreamsUrl: upstreams.url });
const client = new BatchClient(worker.url);
try {
  // The first rows pay for cold pictures in the simulator and cold code in workerd.
  await run("warm-up", WARM_UP_ROWS, SLOTS);
  const alone = rows <= MOST_TIMED_ROWS ? await run("alone", rows, 1) : undefined;
  const together = await run("together", rows, SLOTS);
  console.log(`${rows} rows, ${LATENCY_MS} ms per upstream call: ${JSON.stringify(together.counts)}`);
  if (alone !== undefined) reportSchedule(alone, together);
  reportMemory(together);
} finally {
  await worker.kill();
  await upstreams.close();
  await rm(state, { recursive: true, force: true });
}

async function run(project: string, count: number, concurrency: number): Promise<Run> {
  const options = { concurrency, webhook: { url: "https://webhooks.example/bench", secret: SECRET } };
  const { url, created_at } = await client.submit(project, { items: pendingRows(count), options });
  const sampling = new AbortController();
  const samples = sample(sampling.signal);
  const { counts } = await client.ended(url, LIMIT_MS);
  sampling.abort();
  // The log of webhooks says to the millisecond when every row and the batch itself ended.
  const log = await client.deliveries(url);
  const rowEnds = log.filter(({ type }) => type === "batch.row.changed").map((entry) => Date.parse(entry.created_at));
  const end = Date.parse(log.find(({ type }) => type === "batch.completed")!.created_at);
  const begin = Date.parse(created_at);
  const gapsMs = rowEnds.map((at, index) => at - (index === 0 ? begin : rowEnds[index - 1]!));
  return { ms: end - begin, gapsMs, memory: await samples, counts };
}

async function sample(signal: AbortSignal): Promise<number[]> {
  const samples: number[] = [];
  while (!signal.aborted) {
    samples.push(await residentBytes(worker.group, "workerd"));
    await wait(SAMPLE_MS);
  }
  return samples;
}

function reportSchedule(alone: Run, together: Run): void {
  // No schedule is shorter than this, the best one included.
  const best = Math.max(sum(alone.gapsMs) / SLOTS, ...alone.gapsMs);
  console.log(`one by one             ${seconds(alone.ms)}`);
  console.log(`best in ${SLOTS} slots        ${seconds(best)}   no schedule of those row times is shorter`);
  console.log(`in ${SLOTS} slots             ${seconds(together.ms)}`);
  console.log(`ratio                  ${(together.ms / best).toFixed(2)}       at most 1.30 is asked for`);
}

function reportMemory({ memory }: Run): void {
  const quarter = (number: number) => memory.slice(((number - 1) * memory.length) / 4, (number * memory.length) / 4);
  const second = mean(quarter(2));
  const last = mean(quarter(4));
  console.log(`memory, 2nd quarter    ${mebibytes(second)}   resident, workerd, mean`);
  console.log(`memory, last quarter   ${mebibytes(last)}`);
  console.log(`ratio                  ${(last / second).toFixed(2)}       at most 1.10 is asked for, of 1000 rows`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`.padStart(8);
}
