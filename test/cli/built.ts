import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildWorker } from "../../local/boot.ts";
import { buildCli } from "../../local/build-cli.ts";
import { CLI_FOLDER, ROOT, WORKER_FOLDER } from "../../local/folders.ts";

const WORKER_SOURCES = ["src", "routes", "durable-objects", "ui", "local", "wrangler.toml"];
const CLI_SOURCES = ["src", "cli", "local"];

/** Makes sure that what is tested is what the sources say; builds only what is older than they are. */
export async function ensureBuilt(): Promise<void> {
  if (isStale(join(WORKER_FOLDER, "worker.js"), WORKER_SOURCES)) await buildWorker();
  if (isStale(join(CLI_FOLDER, "sluice.js"), CLI_SOURCES)) await buildCli();
}

function isStale(made: string, sources: readonly string[]): boolean {
  return (
    !existsSync(made) || Math.max(...sources.map((source) => newest(join(ROOT, source)))) >= statSync(made).mtimeMs
  );
}

function newest(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  const times = readdirSync(path, { recursive: true, encoding: "utf8" }).map(
    (name) => statSync(join(path, name)).mtimeMs,
  );
  return Math.max(mtimeMs, ...times);
}
