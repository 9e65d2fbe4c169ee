/**
 * How close a batch of three slots comes to the best schedule of its rows, and whether a long one keeps its memory.
 * Usage: `npm run bench:batch -- --rows 30`. Beyond 300 rows only memory is measured: the rows are not run one by one.
 *
 * Memory that a batch keeps is what counts, so then the Worker's isolate is made to collect its garbage every ten
 * seconds, and two figures are printed: what the isolate holds after it, and what workerd has resident. Resident memory
 * alone says how long V8 let garbage wait: it lets up to 64 MB of dead pictures lie before it collects, and the isolate
 * has no limit here as a deployed one has. The allocator's heap is stretched and torn by that, and what it took it
 * hardly gives back. `--no-collect` shows resident memory as it is without our hand in it; `--warm-up 1000` lets the
 * process come to its high water first, so that what grows then is not that.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildWorker } from "../local/boot.ts";
import { freePort } from "../local/free-port.ts";
import { BatchClient } from "../test/crash/batch-client.ts";
import { pendingRows } from "../test/crash/batch-rows.ts";
import { startFlakyUpstreams } from "../test/crash/flaky-upstreams.ts";
import { startWorkerProcess } from "../test/crash/worker-process.ts";
import { openIsolateHeap } from "./isolate-heap.ts";
import { residentBytes } from "./resident-memory.ts";
import { mean, quarterOf } from "./statistics.ts";
import { mebibytes } from "./table.ts";

interface Run {
  /** From the submission to the event that ends the batch, milliseconds. */
  readonly ms: number;
  /** From one row's end to the next one's, milliseconds: at concurrency 1, what each row took. */
  readonly gapsMs: readonly number[];
  /** Resident bytes of workerd, at even distances from begin to end. */
  readonly resident: readonly number[];
  /** What the Worker's isolate held after each collection, at even distances; empty when none was asked for. */
  readonly live: readonly number[];
  readonly counts: Readonly<Record<string, number>>;
}

const SLOTS = 3;
const LATENCY_MS = 200;
const MOST_TIMED_ROWS = 300;
const SAMPLE_MS = 250;
const COLLECT_MS = 10_000;
/** With fewer, every sample of a quarter may have met pictures at work. */
const LEAST_COLLECTIONS = 20;
const LIMIT_MS = 30 * 60_000;
const SECRET = `whsec_${btoa("the-secret-of-the-batch-bench-32")}`;

const { values: args } = parseArgs({
  options: {
    rows: { type: "string", default: "30" },
    "warm-up": { type: "string", default: "10" },
    collect: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const rows = Number(args.rows);
if (!Number.isInteger(rows) || rows < 8 || rows > 1_000) throw new Error("--rows must be a number from 8 to 1000.");

const warmUpRows = Number(args["warm-up"]);
if (!Number.isInteger(warmUpRows) || warmUpRows < 1 || warmUpRows > 1_000) {
  throw new Error("--warm-up must be a number from 1 to 1000.");
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await buildWorker();
const state = await mkdtemp(join(tmpdir(), "sluice-bench-"));
const upstreams = await startFlakyUpstreams({ latencyMs: LATENCY_MS, faultRate: 0, random: () => 0 });
// Collections take time, which the schedule of a shorter run would be blamed for.
const inspectorPort = args.collect && rows > MOST_TIMED_ROWS ? await freePort() : undefined;
const worker = await startWorkerProcess({
  port: await freePort(),
  state,
  upstreamsUrl: upstreams.url,
  ...(inspectorPort === undefined ? {} : { inspectorPort }),
});
const client = new BatchClient(worker.url);
const wake = () => client.bytes("/healthz");
const heap = inspectorPort === undefined ? undefined : await openIsolateHeap(inspectorPort, "core:user:sluice", wake);
try {
  // The first rows pay for cold pictures in the simulator and cold code in workerd.
  await run("warm-up", warmUpRows, SLOTS);
  const alone = rows <= MOST_TIMED_ROWS ? await run("alone", rows, 1) : undefined;
  const together = await run("together", rows, SLOTS);
  console.log(`${rows} rows, ${LATENCY_MS} ms per upstream call: ${JSON.stringify(together.counts)}`);
  if (alone !== undefined) reportSchedule(alone, together);
  reportMemory(together);
} finally {
  heap?.close();
  await worker.kill();
  await upstreams.close();
  await rm(state, { recursive: true, force: true });
}

async function run(project: string, count: number, concurrency: number): Promise<Run> {
  const options = { concurrency, webhook: { url: "https://webhooks.example/bench", secret: SECRET } };
  const { url, created_at } = await client.submit(project, { items: pendingRows(count), options });
  const sampling = new AbortController();
  const resident = sample(sampling.signal, SAMPLE_MS, () => residentBytes(worker.group, "workerd"));
  const live = heap === undefined ? [] : sample(sampling.signal, COLLECT_MS, () => heap.liveBytes());
  const { counts } = await client.ended(url, LIMIT_MS);
  sampling.abort();
  const memory = { resident: await resident, live: await live };
  // The log of webhooks says to the millisecond when every row and the batch itself ended.
  const log = await client.deliveries(url);
  const rowEnds = log.filter(({ type }) => type === "batch.row.changed").map((entry) => Date.parse(entry.created_at));
  const end = Date.parse(log.find(({ type }) => type === "batch.completed")!.created_at);
  const begin = Date.parse(created_at);
  const gapsMs = rowEnds.map((at, index) => at - (index === 0 ? begin : rowEnds[index - 1]!));
  return { ms: end - begin, gapsMs, ...memory, counts };
}

async function sample(signal: AbortSignal, everyMs: number, measure: () => Promise<number>): Promise<number[]> {
  const samples: number[] = [];
  while (!signal.aborted) {
    samples.push(await measure());
    await wait(everyMs, undefined, { signal }).catch(() => {});
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

function reportMemory({ resident, live }: Run): void {
  reportQuarters("resident", "workerd, mean", resident, mean);
  // Pictures of the rows that run at that moment come on top of what is kept, so the least of some samples tells most.
  if (live.length >= LEAST_COLLECTIONS)
    reportQuarters("live heap", "isolate, least", live, (samples) => Math.min(...samples));
}

function reportQuarters(
  what: string,
  how: string,
  samples: readonly number[],
  figure: (samples: readonly number[]) => number,
): void {
  const second = figure(quarterOf(samples, 2));
  const last = figure(quarterOf(samples, 4));
  console.log(`${`${what}, 2nd quarter`.padEnd(24)}${mebibytes(second).padStart(9)}   ${how}`);
  console.log(`${`${what}, last quarter`.padEnd(24)}${mebibytes(last).padStart(9)}`);
  console.log(`${"ratio".padEnd(24)}${(last / second).toFixed(2)}       at most 1.10 is asked for, of 1000 rows`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(8);
}
