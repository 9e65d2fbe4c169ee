import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Client, Interrupted } from "../client.ts";
import { QUERIES } from "../queries.ts";

/** How long a body that has stopped coming may hold a request, and what a busy machine may add. */
const GIVEN_UP_MS = 30_000 + 20_000;

/** A client on a bad line: bytes that come one by one or not at all, answers that nobody waits for. */
export async function slowLife(client: Client): Promise<void> {
  await client.dice.pick([dribble, stall, hangUp, leave, leave])(client);
}

/** The whole body, a little at a time: that is answered as usual. */
async function dribble(client: Client): Promise<void> {
  client.ledger.count("slow clients");
  const { dice } = client;
  const body = JSON.stringify({ query: dice.pick(QUERIES) });
  const received = await raw(client, body, async (socket) => {
    const bytes = Buffer.from(body);
    for (let from = 0; from < bytes.length; from += 8) {
      socket.write(bytes.subarray(from, from + 8));
      await wait(dice.between(20, 400));
    }
  });
  // What upstreams do is another matter; here it was heard and answered.
  client.claim(
    /^HTTP\/1\.1 (?:200|429|50[23]) /.test(received),
    () => `a slow body was answered ${received.slice(0, 300)}`,
  );
}

/** Half of the body and then nothing: that is not waited for without end. */
export async function stall(client: Client): Promise<void> {
  client.ledger.count("bodies that stopped");
  const { pausedMs } = client.deployment;
  const body = JSON.stringify({ query: "cat" });
  const began = performance.now();
  const received = await raw(client, body, async (socket) => void socket.write(body.slice(0, 7)));
  const ms = performance.now() - began - (client.deployment.pausedMs - pausedMs);
  if (received.startsWith("HTTP/1.1 408 ")) client.ledger.count("bodies given up");
  client.claim(
    /^HTTP\/1\.1 (?:408|429) /.test(received) && ms < GIVEN_UP_MS,
    () => `a body that stopped was answered after ${Math.round(ms)} ms: ${received.slice(0, 300)}`,
  );
}

/** Half of the body, and gone. */
async function hangUp(client: Client): Promise<void> {
  client.ledger.count("disconnects");
  await raw(client, JSON.stringify({ query: "cat" }), async (socket) => {
    socket.write('{"que');
    await wait(client.dice.between(0, 300));
    socket.destroy();
  });
}

/** A whole request whose answer nobody waits for, or only a part of it. */
async function leave(client: Client): Promise<void> {
  client.ledger.count("disconnects");
  const { dice } = client;
  await client.deployment.up();
  const ask = dice.pick([
    { path: "/v1/web-search", method: "POST", json: { query: dice.pick(QUERIES) } },
    { path: "/search", method: "POST", json: { search_type: "image", query: dice.pick(QUERIES) } },
    { path: "/chat/stream", method: "POST", json: { message: "cat", tools: ["google-search"] } },
    { path: "/v1/reverse-image", method: "POST", json: { image_url: "https://a.example/cat.jpg", mode: "multi" } },
    ...client.tenant.batches
      .slice(-1)
      .map(({ project, id }) => ({ path: `/v1/projects/${project}/batches/${id}/events` })),
    ...[...client.tenant.projects].slice(-1).map((project) => ({ path: `/v1/projects/${project}/archive.zip` })),
  ]);
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(), dice.between(1, 1_500));
  await client
    .fetch({ operationId: "left", ...ask }, leaving.signal)
    .then((response) => response.body?.getReader().read())
    .catch(() => undefined);
  leaving.abort();
}

/** `POST /v1/web-search` by hand; everything that came back until either side ended. */
async function raw(client: Client, body: string, write: (socket: Socket) => Promise<void>): Promise<string> {
  await client.deployment.up();
  const { life } = client.deployment;
  const { hostname, port } = new URL(client.deployment.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => resolve()).on("error", () => {});
  });
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
    // One answer is all that is asked for.
    if (received.includes("\r\n\r\n")) socket.end();
  });
  socket.write(
    [
      "POST /v1/web-search HTTP/1.1",
      `Host: ${hostname}:${port}`,
      `Authorization: Bearer ${client.tenant.key}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "\r\n",
    ].join("\r\n"),
  );
  await write(socket);
  const timer = setTimeout(() => socket.destroy(), 3 * GIVEN_UP_MS);
  await ended;
  clearTimeout(timer);
  if (life !== client.deployment.life) throw new Interrupted();
  return received;
}
