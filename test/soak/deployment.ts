import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../local/free-port.ts";
import { startWorkerProcess, type WorkerProcess } from "../crash/worker-process.ts";
import type { Ledger } from "./ledger.ts";
import { LogBook } from "./log-book.ts";
import { SOAK_VARIABLES } from "./tenants.ts";

/** Where Miniflare keeps what the provider-health object remembers, inside the state folder. */
const HEALTH_FOLDER = /ProviderHealthObject/;

/** What a life of the Worker is started with. */
export interface LifeSettings {
  readonly skewMs: number;
  /** Settings of this life alone. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The built Worker in a process group that is killed, stopped and started again while others use it. */
export class Deployment {
  readonly url: string;
  readonly log: LogBook;
  /** Counts the starts. */
  life = 0;
  /** How wrong the Worker's clock is. */
  skewMs = 0;
  inspectorPort = 0;
  readonly #port: number;
  readonly #state: string;
  readonly #upstreamsUrl: string;
  readonly #ledger: Ledger;
  #process: WorkerProcess | undefined;
  #pausedMs = 0;
  #up = Promise.withResolvers<void>();

  private constructor(port: number, state: string, upstreamsUrl: string, ledger: Ledger) {
    this.url = `http://127.0.0.1:${port}`;
    this.#port = port;
    this.#state = state;
    this.#upstreamsUrl = upstreamsUrl;
    this.#ledger = ledger;
    this.log = new LogBook(ledger);
  }

  static async prepare(state: string, upstreamsUrl: string, ledger: Ledger): Promise<Deployment> {
    return new Deployment(await freePort(), state, upstreamsUrl, ledger);
  }

  async start({ skewMs, variables }: LifeSettings): Promise<void> {
    this.skewMs = skewMs;
    this.inspectorPort = await freePort();
    this.#process = await startWorkerProcess({
      port: this.#port,
      state: this.#state,
      upstreamsUrl: this.#upstreamsUrl,
      inspectorPort: this.inspectorPort,
      environment: {
        LOG: "on",
        CLOCK_SKEW_MS: String(skewMs),
        VARIABLES: JSON.stringify({ ...SOAK_VARIABLES, PUBLIC_URL: this.url, ...variables }),
      },
      onLine: (line) => this.log.add(line),
    });
    this.life += 1;
    this.#up.resolve();
  }

  /** SIGKILL to the group in the middle of everything; whoever asks from now on waits for the next start. */
  async kill(): Promise<void> {
    this.#up = Promise.withResolvers<void>();
    this.life += 1;
    this.log.check();
    await this.#process?.kill();
    this.log.killed();
    this.#ledger.count("kills");
    await this.#forgetSuspensions();
  }

  /** The whole group stands still; when it goes on, its clock has jumped. */
  async pause(ms: number): Promise<void> {
    const group = this.#process!.group;
    process.kill(-group, "SIGSTOP");
    const began = performance.now();
    await wait(ms);
    process.kill(-group, "SIGCONT");
    this.#pausedMs += performance.now() - began;
    this.#ledger.count("stops");
  }

  /** Resolves when the Worker listens. */
  up(): Promise<void> {
    return this.#up.promise;
  }

  /** How long it has stood still altogether, milliseconds. */
  get pausedMs(): number {
    return this.#pausedMs;
  }

  get group(): number {
    return this.#process!.group;
  }

  /** What the Worker takes for now, epoch milliseconds. */
  now(): number {
    return Date.now() + this.skewMs;
  }

  async end(): Promise<void> {
    await this.#process?.kill();
  }

  /** A refused key is not tried for an hour: without this, all of them would be away after some minutes of faults. */
  async #forgetSuspensions(): Promise<void> {
    for (const entry of await readdir(this.#state, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory() && HEALTH_FOLDER.test(entry.name)) {
        await rm(join(entry.parentPath, entry.name), { recursive: true, force: true });
      }
    }
  }
}
