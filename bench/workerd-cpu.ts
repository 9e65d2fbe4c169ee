import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

/** Linux counts CPU time of other processes in hundredths of a second. */
const TICK_MS = 10;

export interface MeasuredWorker {
  readonly url: string;
  /** User and system time of workerd since it began, in milliseconds, in steps of ten. */
  cpuMs(): Promise<number>;
  close(): Promise<void>;
}

/** Builds the Worker of a wrangler configuration beside this file and runs it in workerd. */
export async function bootMeasured(config: string): Promise<MeasuredWorker> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const configPath = fileURLToPath(new URL(config, import.meta.url));
  await promisify(execFile)("wrangler", ["deploy", "--dry-run", "--config", configPath, "--outdir", folder], {
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false" },
  });
  const files = await readdir(folder);
  const before = new Set(await workerds());
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      cf: false,
      modulesRoot: folder,
      modules: [
        {
          type: "ESModule",
          path: join(
            folder,
            files.find((file) => file.endsWith(".js"))!,
          ),
        },
        ...files
          .filter((file) => file.endsWith(".wasm"))
          .map((file) => ({ type: "CompiledWasm" as const, path: join(folder, file) })),
      ],
      compatibilityDate: "2026-11-01",
    }),
  );
  const url = (await miniflare.ready).origin;
  const pids = (await workerds()).filter((pid) => !before.has(pid));
  return {
    url,
    cpuMs: async () => (await Promise.all(pids.map(cpuOf))).reduce((sum, ms) => sum + ms, 0),
    close: () => miniflare.dispose(),
  };
}

async function workerds(): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const names = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")));
  return pids.filter((_, index) => names[index]!.startsWith("workerd"));
}

async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}
