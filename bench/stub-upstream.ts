/**
 * SerpAPI's and SearXNG's answer to one search, recorded from the simulator and given again with as little work as
 * possible: the upstream must not be what a bench measures. A process of its own, started by `stub-client.ts`.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { TEST_KEYS } from "../test/upstreams/keys.ts";
import { startUpstreams } from "../test/upstreams/server.ts";
import { SEARXNG_HOST, SERPAPI_HOST, type StubState } from "./stub-client.ts";

const recorded = await record();
const calls: Record<string, number> = {};
let state: StubState = { latencyMs: 0 };

const server = createServer((request, response) => {
  const host = request.url!.split("/", 2)[1]!;
  const body = recorded[host];
  if (body === undefined) return void response.writeHead(404).end();
  calls[host] = (calls[host] ?? 0) + 1;
  if (host === state.hangs) return;
  if (state.latencyMs === 0) answer(response, body);
  else setTimeout(() => answer(response, body), state.latencyMs);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));

process.on("message", (message: StubState) => {
  state = message;
  process.send!({ calls: { ...calls } });
  for (const host of Object.keys(calls)) delete calls[host];
});
process.on("disconnect", () => process.exit(0));

function answer(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": body.byteLength }).end(body);
}

async function record(): Promise<Record<string, Buffer>> {
  const simulator = await startUpstreams();
  const searches: Record<string, string> = {
    [SERPAPI_HOST]: `/search.json?engine=google&q=cat&api_key=${TEST_KEYS["SERPAPI_API_KEY"]}`,
    [SEARXNG_HOST]: "/search?q=cat&format=json",
  };
  const answers: Record<string, Buffer> = {};
  for (const [host, path] of Object.entries(searches)) {
    const response = await fetch(`${simulator.url}/${host}${path}`);
    if (!response.ok) throw new Error(`The simulator refused the search at ${host}: ${response.status}`);
    answers[host] = Buffer.from(await response.arrayBuffer());
  }
  await simulator.close();
  return answers;
}
