import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWorker } from "../../local/boot.ts";
import { freePort } from "../../local/free-port.ts";
import { type Batch, BatchClient } from "./batch-client.ts";
import { pendingRows } from "./batch-rows.ts";
import { watchBatch } from "./event-watcher.ts";
import { type FlakyUpstreams, startFlakyUpstreams } from "./flaky-upstreams.ts";
import { seededRandom } from "./seeded-random.ts";
import { until } from "./until.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

interface StoredImage {
  readonly filename: string;
  readonly sha256: string;
  readonly bytes: number;
}

interface WebhookBody {
  readonly type: string;
  readonly data: { readonly filename?: string; readonly status?: string; readonly counts?: Record<string, number> };
}

const SEED = Number(process.env["CRASH_SEED"] ?? 1);
const ROWS = 40;
const KILLS = 5;
const LATENCY_MS = 120;
const TEST_MS = 240_000;
const SECRET = `whsec_${btoa("the-secret-of-the-crash-test-32!")}`;
const TERMINAL = new Set(["Sourced", "Failed", "Needs-Selection", "Needs-Manual"]);
const PROJECT = "crash";

const random = seededRandom(SEED);
const between = (low: number, high: number) => Math.floor(low + random() * (high - low));

let state: string;
let port: number;
let upstreams: FlakyUpstreams;
let worker: WorkerProcess;

beforeAll(async () => {
  await buildWorker();
  state = await mkdtemp(join(tmpdir(), "sluice-crash-"));
  port = await freePort();
  upstreams = await startFlakyUpstreams({ latencyMs: LATENCY_MS, faultRate: 0.1, random: seededRandom(SEED + 1) });
  worker = await start();
}, 120_000);

afterAll(async () => {
  await worker?.kill();
  await upstreams?.close();
  await rm(state, { recursive: true, force: true });
}, 30_000);

const start = () => startWorkerProcess({ port, state, upstreamsUrl: upstreams.url });

describe(`a batch of ${ROWS} rows whose Worker is killed ${KILLS} times (seed ${SEED})`, () => {
  it("ends as if nothing had happened", { timeout: TEST_MS }, async () => {
    const client = new BatchClient(worker.url);
    const { url } = await client.submit(PROJECT, {
      items: pendingRows(ROWS),
      options: { webhook: { url: "https://webhooks.example/crash", secret: SECRET } },
    });
    const watching = new AbortController();
    const watched = watchBatch(`${worker.url}${url}/events`, watching.signal);
    try {
      for (let kill = 1; kill <= KILLS; kill++) await killAmidWork(client, url);
      const batch = await client.ended(url, 90_000);
      expect(batch.rows).toHaveLength(ROWS);
      expect(batch.rows.filter((row) => row.running || !TERMINAL.has(row.item.status))).toEqual([]);
      // One row in ten asks for what nobody has; chance must not take many others.
      expect(batch.counts["Sourced"]).toBeGreaterThan(ROWS / 2);
      await expectFilesOf(batch, client);
      await expectWebhooksOf(batch, client);
      const events = await watched;
      expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
      expect(events.at(-1)).toMatchObject({ type: "done", data: { state: "idle", counts: batch.counts } });
    } finally {
      watching.abort();
    }
  });
});

describe("somebody who watches a batch and is cut off in the middle", () => {
  it("has heard every event once, in order, when it ends", { timeout: 90_000 }, async () => {
    const client = new BatchClient(worker.url);
    const { url } = await client.submit("watched", { items: pendingRows(12) });
    const events = `${worker.url}${url}/events`;
    const signal = AbortSignal.timeout(60_000);
    const interrupted = await watchBatch(events, signal, [1, 4, 9]);
    const whole = await watchBatch(events, signal);
    expect(whole.at(-1)?.type).toBe("done");
    expect(whole.filter((event) => event.type === "row").length).toBeGreaterThanOrEqual(12);
    expect(interrupted).toEqual(whole);
  });
});

/** Lets the Worker come to a step that the seed chooses, kills it there, and starts it again on the same state. */
async function killAmidWork(client: BatchClient, url: string): Promise<void> {
  const target = upstreams.requests() + between(8, 40);
  await until(`upstream request ${target}`, 40_000, () => upstreams.requests() >= target);
  await wait(between(0, 2 * LATENCY_MS));
  const { state: batchState, rows } = await client.get(url);
  expect(batchState).toBe("running");
  expect(rows.some((row) => row.running)).toBe(true);
  await worker.kill();
  await expect(fetch(worker.url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  worker = await start();
}

/** Every sourced row has one entry in the manifest, and the very bytes that were recorded. */
async function expectFilesOf(batch: Batch, client: BatchClient): Promise<void> {
  const sourced = batch.rows.filter(({ item }) => item.status === "Sourced").map(({ item }) => item.filename);
  const project = `/v1/projects/${PROJECT}`;
  const { items } = await client.json<{ items: StoredImage[] }>(`${project}/files/image_sources.json`);
  expect(items.map((item) => item.filename).toSorted()).toEqual(sourced.toSorted());
  for (const filename of sourced) {
    const image = await client.json<StoredImage>(`${project}/images/${filename}`);
    const file = await client.bytes(`${project}/files/images/${filename}`);
    const found = { sha256: createHash("sha256").update(file).digest("hex"), bytes: file.byteLength };
    expect({ filename, ...found }).toEqual({ filename, sha256: image.sha256, bytes: image.bytes });
  }
}

/** Every event was taken by the receiver, and came with the same id and body each time. */
async function expectWebhooksOf(batch: Batch, client: BatchClient): Promise<void> {
  const log = await until("every webhook is delivered", 30_000, async () => {
    const deliveries = await client.deliveries(batch.url);
    return deliveries.every((delivery) => delivery.state === "delivered") && deliveries;
  });
  const bodies = new Map<string, string>();
  for (const { id, body } of upstreams.webhooks) {
    expect(body).toBe(bodies.get(id) ?? body);
    bodies.set(id, body);
  }
  expect(upstreams.webhooks.length).toBeGreaterThan(bodies.size);
  const taken = new Set(upstreams.webhooks.filter(({ status }) => status === 200).map(({ id }) => id));
  expect([...taken].toSorted()).toEqual(log.map(({ id }) => id).toSorted());
  const told = [...bodies.values()].map((body) => JSON.parse(body) as WebhookBody);
  const ends = told.filter(({ type }) => type === "batch.row.changed").map(({ data }) => [data.filename, data.status]);
  expect(ends.toSorted()).toEqual(batch.rows.map(({ item }) => [item.filename, item.status]).toSorted());
  expect(told.filter(({ type }) => type === "batch.completed").map(({ data }) => data.counts)).toEqual([batch.counts]);
}
