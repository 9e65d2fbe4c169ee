import { createHash } from "node:crypto";
import { bootWorker, buildWorker, type LocalWorker } from "../../local/boot.ts";
import { freePort } from "../../local/free-port.ts";
import { offlineVariables } from "../../scripts/offline.ts";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { startUpstreams } from "../upstreams/server.ts";

export interface Site {
  /** Origin of a deployment whose local tenant needs no key. */
  readonly open: string;
  /** Origin of one that takes `key` and nothing else. */
  readonly guarded: string;
  readonly key: string;
  /** Where the simulator of both listens. */
  readonly upstreams: string;
  /** Puts `title` in place of the titles that Pexels gives for a query. */
  renameAtPexels(query: string, title: string): Promise<void>;
  close(): Promise<void>;
}

const KEY = "browser-test-key-guards-nothing-real";

/** Builds the Worker and boots it twice behind one simulator. */
export async function startSite(): Promise<Site> {
  await buildWorker();
  const upstreams = await startUpstreams();
  const workers: LocalWorker[] = [];
  const boot = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const port = await freePort();
    const { LOCAL_TENANT: tenant, ...rest } = offlineVariables(upstreams.url, `http://127.0.0.1:${port}`);
    const keyed = "API_KEYS" in more;
    const variables = { ...rest, ...(keyed ? {} : { LOCAL_TENANT: tenant! }), ...more };
    const worker = await bootWorker({ port, variables, verbose: false });
    workers.push(worker);
    return worker.url;
  };
  const sha256 = createHash("sha256").update(KEY).digest("hex");
  return {
    open: await boot({}),
    guarded: await boot({ API_KEYS: JSON.stringify([{ sha256, tenant: "acme" }]) }),
    key: KEY,
    upstreams: upstreams.url,
    renameAtPexels: (query, title) => renameAtPexels(upstreams.url, query, title),
    close: async () => {
      for (const worker of workers) await worker.close();
      await upstreams.close();
    },
  };
}

async function renameAtPexels(upstreamsUrl: string, query: string, title: string): Promise<void> {
  const path = `/v1/search?query=${encodeURIComponent(query)}&per_page=8&page=1`;
  const headers = { authorization: TEST_KEYS["PEXELS_API_KEY"]!, "user-agent": "Sluice (ops@sluice.example)" };
  const answer = await fetch(`${upstreamsUrl}/api.pexels.com${path}`, { headers });
  if (!answer.ok) throw new Error(`The simulator answered ${answer.status}: ${await answer.text()}`);
  const body = (await answer.json()) as { photos: { alt: string }[] };
  if (body.photos.length === 0) throw new Error(`The simulator has no photos for ${query}.`);
  for (const photo of body.photos) photo.alt = title;
  const fault = await fetch(`${upstreamsUrl}/__faults/pexels`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      match: query.split(" ")[0],
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  if (!fault.ok) throw new Error(await fault.text());
}
