import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const SERPAPI_HOST = "serpapi.com";
export const SEARXNG_HOST = "searx.example";

export interface StubState {
  readonly latencyMs: number;
  /** A host that never answers. */
  readonly hangs?: string;
}

/** The upstream of the benches, in a process of its own. */
export class StubUpstream {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  static async start(): Promise<StubUpstream> {
    const child = fork(fileURLToPath(new URL("stub-upstream.ts", import.meta.url)));
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    return new StubUpstream(`http://127.0.0.1:${port}`, child);
  }

  /** Changes how it behaves, and tells how often each host was asked since the last change. */
  async set(state: StubState): Promise<Readonly<Record<string, number>>> {
    const reply = once(this.#process, "message");
    this.#process.send(state);
    const [{ calls }] = (await reply) as [{ calls: Record<string, number> }];
    return calls;
  }

  close(): void {
    this.#process.disconnect();
  }
}
