import { createHash } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { rolldown } from "rolldown";
import { ASSETS, bootWorker, type LocalWorker } from "../local/boot.ts";
import { TEST_KEYS } from "../test/upstreams/keys.ts";
import type { Target } from "./load.ts";
import { SERPAPI_HOST, type StubUpstream } from "./stub-client.ts";

const KEY = "bench-key-guards-nothing-real";
const JSON_BODY = { "content-type": "application/json" };

/** The built Worker as a deployment has it, with one key that has limits, behind the stub. */
export function bootSluice(
  stub: StubUpstream,
  variables: Readonly<Record<string, string>> = {},
  inspectorPort?: number,
): Promise<LocalWorker> {
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  const limits = { per_minute: 6_000_000, upstream_per_day: 100_000_000 };
  return bootWorker({
    port: 0,
    variables: {
      API_KEYS: JSON.stringify([{ sha256, tenant: "bench", limits }]),
      CONTACT: "https://sluice.example/contact; ops@sluice.example",
      EGRESS_PROXY: stub.url,
      SERPAPI_API_KEY: TEST_KEYS["SERPAPI_API_KEY"]!,
      SEARXNG_URL: TEST_KEYS["SEARXNG_URL"]!,
      WEB_CHAIN: "serpapi,searxng",
      CACHE: "off",
      ...variables,
    },
    verbose: false,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
  });
}

/** `POST /search` for the web, by default for the same query each time. */
export function sluiceSearch(worker: LocalWorker, query: (number: number) => string = () => "cat"): Target {
  return {
    url: `${worker.url}/search`,
    method: "POST",
    headers: { ...JSON_BODY, authorization: `Bearer ${KEY}` },
    body: (number) => JSON.stringify({ search_type: "web", query: query(number) }),
  };
}

export async function bootPassThrough(stub: StubUpstream): Promise<LocalWorker> {
  const folder = await mkdtemp(join(tmpdir(), "bench-pass-through-"));
  const bundle = await rolldown({
    input: fileURLToPath(new URL("pass-through-worker.ts", import.meta.url)),
    platform: "browser",
  });
  const script = join(folder, "worker.js");
  await bundle.write({ file: script, format: "esm", minify: true });
  await bundle.close();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: 0,
      log: new Log(LogLevel.ERROR),
      cf: false,
      name: "pass-through",
      modulesRoot: folder,
      modules: [{ type: "ESModule", path: script }],
      compatibilityDate: "2026-11-01",
      // What Miniflare does for files comes before either Worker; in a deployment the platform does it elsewhere.
      assets: ASSETS,
      bindings: { UPSTREAM: `${stub.url}/${SERPAPI_HOST}` },
    }),
  );
  const url = (await miniflare.ready).origin;
  return { url, close: () => miniflare.dispose() } as LocalWorker;
}

export function passThroughSearch(worker: LocalWorker): Target {
  const body = JSON.stringify({ query: "cat" });
  return { url: `${worker.url}/search`, method: "POST", headers: JSON_BODY, body: () => body };
}

/** The upstream itself. */
export function directSearch(stub: StubUpstream): Target {
  return { url: `${stub.url}/${SERPAPI_HOST}/search.json?engine=google&q=cat`, method: "GET", headers: {} };
}
