import { setTimeout as wait } from "node:timers/promises";
import { SECRETS } from "./tenants.ts";
import type { Ledger } from "./ledger.ts";

interface Line {
  readonly request_id?: string;
}

/** A line goes through three processes before it is here. */
const LATE_MS = 5_000;

/** The log of the Worker over all of its lives: one line a request, and none that shows what it should not. */
export class LogBook {
  readonly #ledger: Ledger;
  readonly #lines = new Map<string, number>();
  /** Requests that were answered, and when (`performance.now`). */
  readonly #answered = new Map<string, number>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  add(text: string): void {
    this.#ledger.count("log lines");
    const leaked = SECRETS.filter((secret) => text.includes(secret));
    if (leaked.length > 0) this.#ledger.violation("log", `a secret stands in it: ${text.slice(0, 300)}`);
    if (text.includes('"stack"')) this.#ledger.violation("log", `nobody foresaw this: ${text.slice(0, 2_000)}`);
    const line = lineOf(text);
    // The platform has its own things to say.
    if (line === undefined) return this.#ledger.count("log lines of the platform");
    if (line.request_id === undefined) {
      return this.#ledger.violation("log", `something broke outside a request: ${text.slice(0, 1_000)}`);
    }
    const seen = (this.#lines.get(line.request_id) ?? 0) + 1;
    this.#lines.set(line.request_id, seen);
    if (seen > 1) this.#ledger.violation("log", `a request has ${seen} lines: ${text.slice(0, 300)}`);
  }

  /** An answer with this `X-Request-Id` is here whole. */
  answered(requestId: string): void {
    this.#answered.set(requestId, performance.now());
  }

  /** The Worker was killed: lines that were on their way are lost with it. */
  killed(): void {
    const now = performance.now();
    for (const [id, at] of this.#answered) if (now - at < LATE_MS) this.#answered.delete(id);
  }

  /** What was answered, and has no line though there was time for it. */
  check(): void {
    const now = performance.now();
    for (const [id, at] of this.#answered) {
      if (this.#lines.has(id)) this.#answered.delete(id);
      else if (now - at > LATE_MS) {
        this.#answered.delete(id);
        this.#ledger.violation("log", `the request ${id} was answered and has no line`);
      }
    }
  }

  /** Nothing is asked any more: whatever is not here soon is missing. */
  async close(): Promise<void> {
    await wait(LATE_MS + 100);
    this.check();
  }
}

function lineOf(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
