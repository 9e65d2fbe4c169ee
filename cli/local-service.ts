import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bootWorker, type BootOptions, type LocalWorker } from "../local/boot.ts";
import { startEgressGateway } from "../local/egress-gateway.ts";
import { WORKER_FOLDER } from "../local/folders.ts";
import { freePort } from "../local/free-port.ts";
import { lockState } from "../local/state-lock.ts";
import { CommandError } from "./failure.ts";
import type { Settings } from "./settings.ts";

export interface LocalService {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

export interface LocalServiceOptions {
  readonly settings: Settings;
  /** Lets addresses of a private network through. */
  readonly allowLan: boolean;
  /** A free one where missing. */
  readonly port?: number;
  readonly key?: string;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Stable: what is kept for it must be found again by the next run. */
const TENANT = "local";

/**
 * Runs the built Worker in this process, on 127.0.0.1, with a key that only this process knows: other programs on the
 * machine can neither use it nor see what it holds.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { settings, allowLan, key = randomBytes(32).toString("hex") } = options;
  if (!existsSync(join(WORKER_FOLDER, "worker.js"))) {
    throw new CommandError("The Worker is not built yet: run `npm ci`, or `npm run prepare`.");
  }
  const lock = await lockState(settings.stateFolder).catch((error: unknown) => {
    throw new CommandError(error instanceof Error ? error.message : String(error), 1, { cause: error });
  });
  const closing: (() => Promise<void>)[] = [() => lock.release()];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    const port = options.port ?? (await freePort());
    const { SEARXNG_URL: operatorUrl, EGRESS_PROXY: proxy } = settings.variables;
    let egress = proxy;
    if (egress === undefined) {
      const gateway = await startEgressGateway({ allowLan, ...(operatorUrl === undefined ? {} : { operatorUrl }) });
      closing.push(() => gateway.close());
      egress = gateway.url;
    }
    const worker = await bootQuietly({
      port,
      state: settings.stateFolder,
      verbose: false,
      variables: {
        // Links of one run end with it.
        SIGNING_SECRET: randomBytes(32).toString("hex"),
        ...settings.variables,
        EGRESS_PROXY: egress,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        API_KEYS: JSON.stringify([{ sha256: createHash("sha256").update(key).digest("hex"), tenant: TENANT }]),
      },
    });
    closing.push(() => worker.close());
    if (worker.pid !== undefined) await lock.noteWorker(worker.pid);
    return { url: worker.url, key, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Miniflare ends the process at once when a signal comes. Here whoever runs a command decides what is still to be done. */
async function bootQuietly(options: BootOptions): Promise<LocalWorker> {
  const before = new Map(SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))]));
  try {
    return await bootWorker(options);
  } finally {
    for (const [signal, own] of before) {
      for (const listener of process.listeners(signal)) if (!own.has(listener)) process.off(signal, listener);
    }
  }
}
