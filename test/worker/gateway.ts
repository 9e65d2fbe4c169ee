import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { createApp } from "../../routes/app.ts";
import type { Clock } from "../../src/cascade/deadline.ts";
import worker from "../../src/worker.ts";
import { TEST_KEYS } from "../upstreams/keys.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the simulator listens. */
    upstreams: string;
  }
}

let scopes = 0;

export interface UpstreamCall {
  readonly upstream: string;
  readonly host: string;
  readonly path: string;
  readonly query: string | Record<string, string>;
  readonly headers: Record<string, string>;
  readonly aborted?: boolean;
  readonly inFlight: number;
}

/** The Worker as a test sees it: its own scope of the simulator, and the settings of this one test. */
export class Gateway {
  readonly scopeUrl: string;
  readonly variables: Record<string, string>;
  /** What its relative addresses are relative to. */
  readonly #origin: string;
  /** Every log line that the requests of this gateway wrote. */
  readonly log: string[] = [];
  readonly #bindings: Readonly<Record<string, unknown>>;
  readonly #app: Pick<typeof worker, "fetch">;

  /** `bindings` stand in for those of the Worker; with a `clock` of its own the gateway has an own copy of the routes. */
  constructor(
    variables: Record<string, string> = {},
    { bindings = {}, clock }: { bindings?: Readonly<Record<string, unknown>>; clock?: Clock } = {},
  ) {
    this.#bindings = bindings;
    this.#app = clock === undefined ? worker : createApp(clock);
    this.scopeUrl = `${inject("upstreams")}/__scope/t${++scopes}-${crypto.randomUUID().slice(0, 8)}`;
    this.variables = {
      ...TEST_KEYS,
      EGRESS_PROXY: this.scopeUrl,
      PUBLIC_URL: "https://sluice.test",
      CONTACT: "https://sluice.example/contact; ops@sluice.example",
      LOCAL_TENANT: "local",
      SEARCH_MIRROR: "off",
      CACHE: "off",
      HEDGE_AFTER_MS: "off",
      SIGNING_SECRET: "test-signing-secret-guards-nothing-real",
      ...variables,
    };
    this.#origin = this.variables["PUBLIC_URL"] || "http://127.0.0.1:8787";
  }

  async fetch(path: string, init?: RequestInit): Promise<Response> {
    const context = createExecutionContext();
    const bindings = { ...env, ...this.#bindings, ...this.variables } as unknown as Env;
    const written = console.log;
    console.log = (line: string) => void this.log.push(line);
    try {
      const request = new Request(new URL(path, this.#origin), init) as Request<unknown, IncomingRequestCfProperties>;
      const response = await this.#app.fetch(request, bindings, context);
      await waitOnExecutionContext(context);
      return response;
    } finally {
      console.log = written;
    }
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  /** Sets a fault at one upstream, in this gateway's scope only. */
  async fault(upstream: string, fault: unknown): Promise<void> {
    const response = await fetch(`${this.scopeUrl}/__faults/${upstream}`, {
      method: "PUT",
      body: JSON.stringify(fault),
    });
    if (!response.ok) throw new Error(`fault at ${upstream}: ${response.status} ${await response.text()}`);
  }

  async calls(): Promise<{ requests: UpstreamCall[]; peakInFlight: number }> {
    return (await fetch(`${this.scopeUrl}/__requests`)).json();
  }
}
