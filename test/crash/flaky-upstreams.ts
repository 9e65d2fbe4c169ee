import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { startUpstreams } from "../upstreams/server.ts";

/** One webhook as it arrived, and what it was answered. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

export interface FlakyUpstreams {
  /** For `EGRESS_PROXY`. */
  readonly url: string;
  /** Of the simulator behind it, which is told there what it should do. */
  readonly simulatorUrl: string;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Requests that came so far, webhooks left out. */
  requests(): number;
  close(): Promise<void>;
}

export interface FlakyOptions {
  /** Before every answer but those to webhooks. */
  readonly latencyMs: number;
  /** Part of the requests that fail: every other one of them with 503, the rest by a broken connection. */
  readonly faultRate: number;
  /** In [0, 1). */
  random(): number;
}

const WEBHOOKS = "/webhooks.example/";

/** The simulator behind a server that is slow and fails by chance. */
export async function startFlakyUpstreams({ latencyMs, faultRate, random }: FlakyOptions): Promise<FlakyUpstreams> {
  const upstreams = await startUpstreams();
  const webhooks: ReceivedWebhook[] = [];
  let requests = 0;
  let faults = 0;
  let events = 0;

  const server = createServer((incoming, outgoing) => {
    const work = incoming.url!.startsWith(WEBHOOKS) ? receive(incoming, outgoing) : pass(incoming, outgoing);
    // A client that was killed in the middle of its request is what this is for.
    work.catch(() => outgoing.destroy());
  });

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    requests += 1;
    await wait(latencyMs);
    if (random() < faultRate) {
      faults += 1;
      if (faults % 2 === 0) outgoing.destroy();
      else outgoing.writeHead(503).end();
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request(upstreams.url + incoming.url, { method, headers });
    forwarded.once("error", () => outgoing.destroy());
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
    const [answer] = (await once(forwarded, "response")) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.once("error", () => outgoing.destroy());
    answer.pipe(outgoing);
  }

  /** By turns, so that there are repeats for sure; an event once at most, since its sender would then wait for minutes. */
  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const id = String(incoming.headers["webhook-id"]);
    const body = await text(incoming);
    const isFirstTry = webhooks.every((webhook) => webhook.id !== id);
    if (isFirstTry) events += 1;
    const status = isFirstTry && events % Math.round(1 / faultRate) === 0 ? 503 : 200;
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    webhooks.push({ id, path: incoming.url!.slice(WEBHOOKS.length - 1), headers, body, status });
    outgoing.writeHead(status).end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    simulatorUrl: upstreams.url,
    webhooks,
    requests: () => requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await upstreams.close();
    },
  };
}
