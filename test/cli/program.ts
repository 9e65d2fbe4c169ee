import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootWorker, type LocalWorker } from "../../local/boot.ts";
import { ROOT } from "../../local/folders.ts";
import { offlineVariables } from "../../scripts/offline.ts";
import { startUpstreams, type Upstreams } from "../upstreams/server.ts";
import { ensureBuilt } from "./built.ts";

export const PROGRAM = join(ROOT, "cli", "bin.js");
export const KEY = "command-line-test-key-guards-nothing-real";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has written to standard error so far. */
  said(): string;
  readonly ended: Promise<Ran>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For Node itself, before the program. */
  readonly nodeFlags?: readonly string[];
}

/** Starts the real program as a process of its own. It sees nothing of this process's environment. */
export function start(args: readonly string[], { cwd = tmpdir(), env = {}, nodeFlags = [] }: ProgramOptions): Running {
  const child = spawn(process.execPath, [...nodeFlags, PROGRAM, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: join(tmpdir(), "nobody"), ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { process: child, said: () => stderr, ended };
}

/** A service behind a simulator, and the program that talks to it. */
export class World {
  readonly upstreams: Upstreams;
  readonly worker: LocalWorker;
  readonly #folders: string[] = [];

  constructor(upstreams: Upstreams, worker: LocalWorker) {
    this.upstreams = upstreams;
    this.worker = worker;
  }

  static async start(): Promise<World> {
    await ensureBuilt();
    const upstreams = await startUpstreams();
    const { LOCAL_TENANT: _, ...variables } = offlineVariables(upstreams.url, "https://sluice.example");
    const sha256 = createHash("sha256").update(KEY).digest("hex");
    const keys = { API_KEYS: JSON.stringify([{ sha256, tenant: "acme" }]) };
    const world = new World(
      upstreams,
      // Faults are to be met: what was found before must not stand in for them.
      await bootWorker({ port: 0, variables: { ...variables, ...keys, CACHE: "off" }, verbose: false }),
    );
    await world.tell("/__limits", { off: true });
    return world;
  }

  async close(): Promise<void> {
    await this.worker.close();
    await this.upstreams.close();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }

  /** A new folder with these files in it. */
  async folder(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "sluice-cli-"));
    this.#folders.push(folder);
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    }
    return folder;
  }

  start(args: readonly string[], { env = {}, ...rest }: ProgramOptions = {}): Running {
    return start(args, { ...rest, env: { SLUICE_URL: this.worker.url, SLUICE_API_KEY: KEY, ...env } });
  }

  run(args: readonly string[], options: ProgramOptions = {}): Promise<Ran> {
    return this.start(args, options).ended;
  }

  /** The one JSON document that a run with `--json` prints. */
  async json(args: readonly string[], options: ProgramOptions = {}): Promise<{ code: number | null; document: Json }> {
    const ran = await this.run([...args, "--json"], options);
    try {
      return { code: ran.code, document: JSON.parse(ran.stdout) as Json };
    } catch {
      throw new Error(`No JSON on standard output (exit ${ran.code}): ${ran.stdout}${ran.stderr}`);
    }
  }

  /** Sets something at the simulator: `/__faults/pexels`, `/__limits`. */
  async tell(path: string, body: unknown): Promise<void> {
    const response = await fetch(`${this.upstreams.url}${path}`, { method: "PUT", body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  }

  async heal(): Promise<void> {
    await fetch(`${this.upstreams.url}/__faults`, { method: "DELETE" });
  }

  /** Paths that the upstreams were asked for since the last call. */
  async calls(): Promise<string[]> {
    const report = (await (await fetch(`${this.upstreams.url}/__requests`)).json()) as { requests: { path: string }[] };
    await fetch(`${this.upstreams.url}/__requests`, { method: "DELETE" });
    return report.requests.map(({ path }) => path);
  }

  /** Asks the service itself. */
  async ask(path: string): Promise<Json> {
    const response = await fetch(`${this.worker.url}${path}`, { headers: { authorization: `Bearer ${KEY}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>;

export async function readJson(...path: string[]): Promise<Json> {
  return JSON.parse(await readFile(join(...path), "utf8")) as Json;
}

/** Every file below a folder, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

export async function itemsIn(folder: string, manifest = "image_sources.json"): Promise<Json[]> {
  return (await readJson(folder, manifest))["items"] as Json[];
}
