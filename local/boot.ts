import { type ChildProcess, execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { buildAssets } from "./build-assets.ts";
import { ASSETS_FOLDER, replaceFolder, ROOT, WORKER_FOLDER } from "./folders.ts";

/** Served before the Worker is asked, as in wrangler.toml. */
export const ASSETS = {
  directory: ASSETS_FOLDER,
  routerConfig: { has_user_worker: true },
  assetConfig: { html_handling: "none", not_found_handling: "none" },
} as const;

export interface LocalWorker {
  readonly url: string;
  /** Of workerd, which outlives this process when it is killed. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

export interface BootOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Variables and secrets, over those of wrangler.toml. */
  readonly variables: Readonly<Record<string, string>>;
  /** Folder of R2 and Durable Objects; without it they end with the process. */
  readonly state?: string;
  /** Lets the Worker's log lines through to standard output. */
  readonly verbose: boolean;
  /** Of workerd's inspector, for benches that look into the isolate. */
  readonly inspectorPort?: number;
  /** Gets each of the Worker's log lines; nothing goes to standard output then. */
  readonly onLine?: (line: string) => void;
  /** Modules before the Worker's own; the first is what runs, and imports `./worker.js`. */
  readonly front?: readonly { readonly name: string; readonly contents: string }[];
}

/** Bundles the Worker and what it serves, exactly as a deployment does. */
export async function buildWorker(): Promise<void> {
  await buildAssets();
  const wrangler = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");
  await replaceFolder(WORKER_FOLDER, async (folder) => {
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", folder], {
      cwd: ROOT,
      env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" },
    });
  });
}

/** Runs what `buildWorker` made, in workerd, on 127.0.0.1. */
export async function bootWorker(options: BootOptions): Promise<LocalWorker> {
  const files = await readdir(WORKER_FOLDER);
  const children: ChildProcess[] = [];
  const noteChild = (message: unknown) => void children.push((message as { process: ChildProcess }).process);
  subscribe("child_process", noteChild);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port: options.port,
      log: new Log(options.verbose ? LogLevel.INFO : LogLevel.ERROR),
      // Requests would otherwise begin with a look-up on the internet.
      cf: false,
      ...(options.state === undefined ? {} : { resourcePersistencePath: options.state }),
      ...(options.verbose && options.onLine === undefined
        ? {}
        : { handleStructuredLogs: ({ message }) => options.onLine?.(message) }),
      ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
      name: "sluice",
      modulesRoot: WORKER_FOLDER,
      modules: [
        ...(options.front ?? []).map(({ name, contents }) => ({
          type: "ESModule" as const,
          path: join(WORKER_FOLDER, name),
          contents,
        })),
        { type: "ESModule", path: join(WORKER_FOLDER, "worker.js") },
        ...files
          .filter((file) => file.endsWith(".wasm"))
          .map((file) => ({ type: "CompiledWasm" as const, path: join(WORKER_FOLDER, file) })),
      ],
      compatibilityDate: "2026-11-01",
      assets: ASSETS,
      bindings: { ...options.variables },
      r2Buckets: { BUCKET: "sluice" },
      durableObjects: {
        PROJECTS: { className: "ProjectObject", useSQLite: true },
        PROVIDER_HEALTH: { className: "ProviderHealthObject", useSQLite: true },
        RATE_LIMITERS: { className: "RateLimiterObject", useSQLite: true },
        BATCHES: { className: "BatchObject", useSQLite: true },
      },
    }),
  );
  try {
    const url = (await miniflare.ready).origin;
    const workerd = children.find(({ spawnfile }) => spawnfile?.includes("workerd"));
    return { url, pid: workerd?.pid, close: () => miniflare.dispose() };
  } catch (error) {
    await miniflare.dispose().catch(() => {});
    throw error;
  } finally {
    unsubscribe("child_process", noteChild);
  }
}
