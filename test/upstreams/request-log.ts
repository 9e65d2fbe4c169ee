/** One request as it arrived, and how it ended. Times are epoch milliseconds. */
export interface LoggedRequest {
  /** The upstream's id, `images:<host>` for a picture, `unknown` where nothing stands behind the name. */
  readonly upstream: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly startedAt: number;
  /** Requests of this scope that were open when it had arrived, itself included. */
  readonly inFlight: number;
  endedAt?: number;
  status?: number;
  /** The client went away before the end. */
  aborted?: true;
}

/** A request that is being served. `answered` and `ended` may be called in any order, and again. */
export interface OpenRequest {
  readonly logged: LoggedRequest;
  /** The response's headers are ready. */
  answered(status: number): void;
  ended(complete: boolean): void;
}

/** The requests of one scope, oldest first. */
export class RequestLog {
  #requests: LoggedRequest[] = [];
  #peak = 0;
  readonly #open = new Set<LoggedRequest>();
  readonly #waiting = new Set<LoggedRequest>();

  start(facts: Omit<LoggedRequest, "startedAt" | "inFlight" | "endedAt" | "status" | "aborted">): OpenRequest {
    const logged: LoggedRequest = { ...facts, startedAt: Date.now(), inFlight: this.#open.size + 1 };
    this.#requests.push(logged);
    this.#open.add(logged);
    this.#waiting.add(logged);
    this.#peak = Math.max(this.#peak, this.#waiting.size);
    return {
      logged,
      answered: (status) => {
        logged.status = status;
        this.#waiting.delete(logged);
      },
      ended: (complete) => {
        if (!this.#open.delete(logged)) return;
        this.#waiting.delete(logged);
        logged.endedAt = Date.now();
        if (!complete) logged.aborted = true;
      },
    };
  }

  /** How many requests to an upstream are open. */
  openTo(upstream: string): number {
    return [...this.#open].filter((logged) => logged.upstream === upstream).length;
  }

  /** `peakInFlight` counts requests that waited for response headers at the same time. */
  report(): { requests: readonly LoggedRequest[]; peakInFlight: number } {
    return { requests: this.#requests, peakInFlight: this.#peak };
  }

  clear(): void {
    this.#requests = [];
    this.#peak = this.#waiting.size;
  }
}
