import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Batch, DeliveryEntry } from "../../crash/batch-client.ts";
import { watchBatch } from "../../crash/event-watcher.ts";
import type { ReceivedWebhook } from "../../crash/flaky-upstreams.ts";
import { type Client, jsonOf } from "../client.ts";
import { QUERIES } from "../queries.ts";
import { checkProject, claimSame, newFilename, newProject, removeProject } from "./project.ts";

const TERMINAL = new Set(["Sourced", "Failed", "Needs-Selection", "Needs-Manual"]);
/** A row may be tried for minutes when its providers hang, and waits for its turn again. */
const ENDS_WITHIN_MS = 6 * 60_000;
/** A second try waits for five minutes. */
const DELIVERED_WITHIN_MS = 7 * 60_000;
const POLL_MS = 700;

/** A batch from its submission to its archive, by a client that comes again whenever it is cut off. */
export async function batchLife(client: Client, webhooks: readonly ReceivedWebhook[]): Promise<void> {
  const { dice, tenant } = client;
  const project = newProject(client);
  const at = `/v1/projects/${project}`;
  const filenames = Array.from({ length: dice.between(1, 7) }, (_, index) => newFilename(client, index));
  const body = {
    items: filenames.map((filename) => ({ filename, query: dice.pick(QUERIES), status: "Pending" })),
    options: {
      save_candidates: dice.chance(0.3),
      concurrency: dice.between(1, 5),
      webhook: { url: `https://webhooks.example/${tenant.name}/${project}`, secret: tenant.webhookSecret },
    },
  };
  const submitted = await client.insist({
    operationId: "submitBatch",
    method: "POST",
    path: `${at}/batches`,
    headers: [["idempotency-key", project]],
    json: body,
  });
  if (submitted.status !== 202) {
    return client.violation(`a batch is refused: ${submitted.status} ${submitted.text.slice(0, 300)}`);
  }
  client.ledger.count("batches");
  client.ledger.count("rows", filenames.length);
  const { id } = jsonOf<{ id: string }>(submitted);
  tenant.batches.push({ project, id });
  const path = `${at}/batches/${id}`;

  const watching = new AbortController();
  const leaveAfter = dice.chance(0.5) ? [dice.between(1, 4), dice.between(4, 9)] : [];
  const watched = watchBatch(`${client.deployment.url}${path}/events`, watching.signal, leaveAfter, {
    authorization: `Bearer ${tenant.key}`,
  });
  const isCancelled = dice.chance(0.12);
  const changed = !isCancelled && dice.chance(0.3) ? dice.pick(filenames) : undefined;
  try {
    if (isCancelled) {
      await wait(dice.between(0, 3_000));
      await client.insist({ operationId: "cancelBatch", method: "DELETE", path });
    }
    if (changed !== undefined) await changeRow(client, path, changed);
    const batch = await ended(client, path);
    if (batch === undefined) return;
    checkRows(client, batch, filenames);
    await checkOnlyBatch(client, project, id);
    const names = await checkProject(client, project);
    const sourced = batch.rows.filter(({ item }) => item.status === "Sourced").map(({ item }) => item.filename);
    // What a row had found before it was changed stays until there is better; a row that was cut off may have stored.
    const kept = names.filter((name) => sourced.includes(name) || (name !== changed && !isCancelled));
    claimSame(client, `${project}'s images`, kept, sourced);
    client.ledger.count("rows Sourced", sourced.length);
    const arrived = () => webhooks.filter((each) => each.path === `/${tenant.name}/${project}`);
    await checkWebhooks(client, path, batch, arrived);
    if (dice.chance(0.2)) await resend(client, path, arrived);
    await client.insist({ operationId: "getCheckpoint", path: `${path}/checkpoint` });
  } finally {
    watching.abort();
    const ids = (await watched).map((event) => event.id);
    client.claim(
      ids.every((each, index) => each === index + 1),
      () => `the events of ${path} are not one after another: ${ids.join()}`,
    );
  }
  if (dice.chance(0.5)) await removeProject(client, project);
}

/** A row gets another query, in the middle of the run or behind it, and runs again. */
async function changeRow(client: Client, path: string, filename: string): Promise<void> {
  const { dice } = client;
  await wait(dice.between(0, 8_000));
  await client.insist({
    operationId: "changeRow",
    method: "PATCH",
    path: `${path}/rows/${filename}`,
    json: { query: dice.pick(QUERIES) },
  });
  await client.insist({ operationId: "runBatch", method: "POST", path: `${path}/run` });
}

async function ended(client: Client, path: string): Promise<Batch | undefined> {
  const began = performance.now();
  const { pausedMs } = client.deployment;
  for (;;) {
    const answer = await client.insist({ operationId: "getBatch", path });
    if (answer.status !== 200) {
      client.violation(`the batch ${path} is lost: ${answer.status} ${answer.text.slice(0, 300)}`);
      return undefined;
    }
    const batch = jsonOf<Batch>(answer);
    if (batch.state !== "running" && batch.rows.every((row) => !row.running)) return batch;
    if (performance.now() - began - (client.deployment.pausedMs - pausedMs) > ENDS_WITHIN_MS) {
      client.violation(`the batch ${path} does not end: ${answer.text.slice(0, 2_000)}`);
      return undefined;
    }
    await wait(POLL_MS);
  }
}

function checkRows(client: Client, batch: Batch, filenames: readonly string[]): void {
  claimSame(
    client,
    batch.url,
    batch.rows.map(({ item }) => item.filename),
    filenames,
  );
  const open = batch.rows.filter(({ item }) => batch.state !== "cancelled" && !TERMINAL.has(item.status));
  client.claim(open.length === 0, () => `${batch.url} ended with open rows: ${JSON.stringify(open)}`);
  const counted = Object.values(batch.counts).reduce((sum, count) => sum + count, 0);
  client.claim(counted === filenames.length, () => `${batch.url} counts ${JSON.stringify(batch.counts)}`);
}

/** However often it was sent, there is one. */
async function checkOnlyBatch(client: Client, project: string, id: string): Promise<void> {
  const listed = await client.insist({ operationId: "listBatches", path: `/v1/projects/${project}/batches` });
  const ids = jsonOf<{ batches: { id: string }[] }>(listed).batches.map((batch) => batch.id);
  claimSame(client, `${project}'s batches`, ids, [id]);
}

/** Every event arrives, signed, with the same id and body each time, and tells the end of every row. */
async function checkWebhooks(
  client: Client,
  path: string,
  batch: Batch,
  arrived: () => readonly ReceivedWebhook[],
): Promise<void> {
  const log = await deliveries(client, path);
  if (log === undefined) return;
  const received = arrived();
  const verifier = new Webhook(client.tenant.webhookSecret);
  const bodies = new Map<string, string>();
  for (const { id, body, headers } of received) {
    client.claim(body === (bodies.get(id) ?? body), () => `the webhook ${id} has two bodies`);
    bodies.set(id, body);
    // Its time may be that of a clock that is wrong.
    client.claim(isSigned(verifier, body, headers), () => `the webhook ${id} is not signed by its secret`);
  }
  const taken = new Set(received.filter(({ status }) => status === 200).map(({ id }) => id));
  claimSame(
    client,
    `${path}'s webhooks`,
    [...taken],
    log.map(({ id }) => id),
  );
  client.ledger.count("webhooks", received.length);
  client.ledger.count("webhooks sent again", received.length - bodies.size);
  const told = [...bodies.values()].map(
    (body) => JSON.parse(body) as { type: string; data: { filename?: string; status?: string } },
  );
  for (const { item } of batch.rows.filter((row) => TERMINAL.has(row.item.status))) {
    const isTold = told.some(
      ({ type, data }) =>
        type === "batch.row.changed" && data.filename === item.filename && data.status === item.status,
    );
    client.claim(isTold, () => `no webhook says that ${item.filename} of ${path} is ${item.status}`);
  }
}

/** One of the events is asked for once more, and comes with its old id. */
async function resend(client: Client, path: string, arrived: () => readonly ReceivedWebhook[]): Promise<void> {
  const log = (await deliveries(client, path)) ?? [];
  if (log.length === 0) return;
  const { id } = client.dice.pick(log);
  const times = () => arrived().filter((each) => each.id === id && each.status === 200).length;
  const before = times();
  await client.insist({ operationId: "resendDelivery", method: "POST", path: `${path}/deliveries/${id}/resend` });
  await deliveries(client, path);
  client.claim(times() > before, () => `the webhook ${id} was asked for again and did not come`);
}

async function deliveries(client: Client, path: string): Promise<DeliveryEntry[] | undefined> {
  const began = performance.now();
  for (;;) {
    const answer = await client.insist({ operationId: "listDeliveries", path: `${path}/deliveries` });
    const log = jsonOf<{ deliveries: DeliveryEntry[] }>(answer).deliveries;
    if (log.every(({ state }) => state === "delivered")) return log;
    if (performance.now() - began > DELIVERED_WITHIN_MS) {
      client.violation(`webhooks of ${path} do not arrive: ${answer.text.slice(0, 1_000)}`);
      return undefined;
    }
    await wait(2 * POLL_MS);
  }
}

function isSigned(verifier: Webhook, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    verifier.verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}
