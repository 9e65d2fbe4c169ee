import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Door, type SendOptions } from "../../src/egress/door.ts";

let server: Server;
let host = "";
let closed = 0;

beforeEach(async () => {
  closed = 0;
  server = createServer((request, response) => {
    response.on("close", () => (closed += response.writableFinished ? 0 : 1));
    response.writeHead(200, { "content-type": "text/plain" });
    if (request.url === "/hold") return void response.write("first");
    response.end("first and last");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function open(path: string, more: Partial<SendOptions> = {}) {
  const { egress } = readConfig({
    CHAT_BASE_URL: `http://${host}/v1`,
    CHAT_MODEL: "m",
    SEARXNG_URL: "https://searx.lan",
  });
  const options = { timeLimitMs: 1_000, maxBytes: 1_000, signal: new AbortController().signal, ...more };
  return new Door(egress, { now: () => 0 }).stream({ url: `http://${host}${path}` }, options);
}

async function closedUpstream(): Promise<void> {
  await vi.waitFor(() => expect(closed).toBe(1));
}

describe("a streamed answer", () => {
  it("comes from a private host only where the operator named it and the request says so", async () => {
    const { body } = await open("/", { toOperatorHost: true });
    expect(await new Response(body).text()).toBe("first and last");
    await expect(open("/")).rejects.toMatchObject({ reason: "refused" });
  });

  it("is cut off at the byte limit", async () => {
    const { body } = await open("/", { toOperatorHost: true, maxBytes: 5 });
    await expect(body.getReader().read()).rejects.toMatchObject({ reason: "too-large" });
  });

  it("is not ended by the time limit once it has begun", async () => {
    const { body } = await open("/hold", { toOperatorHost: true, timeLimitMs: 100 });
    const reader = body.getReader();
    await reader.read();
    const silence = await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 250, "silence"))]);
    expect(silence).toBe("silence");
    await reader.cancel();
    await closedUpstream();
  });

  it("ends upstream when it is cancelled, and when the signal aborts", async () => {
    const client = new AbortController();
    const { body } = await open("/hold", { toOperatorHost: true, signal: client.signal });
    const reader = body.getReader();
    await reader.read();
    client.abort();
    await expect(reader.read()).rejects.toMatchObject({ reason: "timeout" });
    await closedUpstream();
  });
});
