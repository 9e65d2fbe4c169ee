import type { Clock } from "../cascade/deadline.ts";
import { refusal, type GuardRules } from "./address-guard.ts";
import { cappedStream, readCapped, readHead } from "./capped-body.ts";
import { EgressError } from "./egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "./wire.ts";

export interface DoorSettings {
  /** `http://host:port[/prefix]`: every `https://host/path?query` is asked for as `<proxy>/host/path?query`. */
  readonly proxy?: string;
  readonly allowHttp: boolean;
  readonly userAgent: string;
  /** `host[:port]` that the operator named and that the guard therefore lets through. */
  readonly operatorHosts?: readonly string[];
}

export interface SendOptions {
  readonly timeLimitMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** For requests to a host that the operator named; never set for a URL from a caller or from upstream. */
  readonly toOperatorHost?: boolean;
}

export interface Download {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly status: number;
  readonly headers: Headers;
  /** After redirects. */
  readonly finalUrl: string;
}

/** An answer whose body is still coming. Whoever has it reads it to its end, cancels it, or aborts the signal. */
export interface StreamedReply {
  readonly status: number;
  readonly headers: Headers;
  /** Errors with an EgressError when it is cut, ended by the signal, or longer than allowed. */
  readonly body: ReadableStream<Uint8Array>;
}

const MAX_REDIRECTS = 5;
/** The only headers that may follow a redirect to another origin. */
const HARMLESS_HEADERS = new Set(["accept", "accept-language", "user-agent"]);

/** The one way out. Everything that Sluice asks of the outside goes through here. */
export class Door {
  readonly #settings: DoorSettings;
  readonly #clock: Clock;

  constructor(settings: DoorSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** One API exchange, with the body as text. Redirects are not followed: APIs that we speak do not redirect. */
  async send(request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply> {
    return this.#within(options, async (signal) => {
      const response = await this.#fetch(new URL(request.url), request, signal, options);
      const bytes = await readCapped(response, options.maxBytes);
      return {
        status: response.status,
        headers: response.headers,
        body: new TextDecoder().decode(bytes),
        receivedAt: this.#clock.now(),
      };
    });
  }

  /**
   * One API exchange whose body is read as it comes. The time limit covers the headers only: how long a pause in the
   * body may be is for the reader to say. The signal ends both.
   */
  async stream(request: UpstreamRequest, options: SendOptions): Promise<StreamedReply> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), options.timeLimitMs);
    const signal = AbortSignal.any([limit.signal, options.signal]);
    const failure = (error: unknown) => asEgressError(error, signal, limit.signal, options.timeLimitMs);
    try {
      const response = await this.#fetch(new URL(request.url), request, signal, options);
      const body = cappedStream(response.body, options.maxBytes, failure);
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      throw failure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A file, redirects followed with each hop checked again. Any status is returned; the caller judges it. */
  async download(url: string, options: SendOptions): Promise<Download> {
    return this.#followed(url, options, (response) => readCapped(response, options.maxBytes));
  }

  /** The first `maxBytes` of a file, for a look at what it is. */
  async peek(url: string, options: SendOptions): Promise<Download> {
    return this.#followed(url, options, (response) => readHead(response, options.maxBytes));
  }

  async #followed(
    address: string,
    options: SendOptions,
    read: (response: Response) => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<Download> {
    return this.#within(options, async (signal) => {
      let url = parsed(address);
      // AVIF is what many CDNs give to whoever accepts it, and nothing downstream of us reads it.
      let headers: Record<string, string> = { accept: "image/jpeg,image/png,image/webp,image/gif,image/*;q=0.5" };
      for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
        const response = await this.#fetch(url, { url: url.href, headers }, signal, options);
        const location = response.headers.get("location");
        if (response.status < 300 || response.status > 399 || location === null) {
          const bytes = await read(response);
          return { bytes, status: response.status, headers: response.headers, finalUrl: url.href };
        }
        await response.body?.cancel().catch(() => {});
        const target = parsed(location, url);
        if (target.origin !== url.origin) headers = harmless(headers);
        url = target;
      }
      throw new EgressError("redirects", `more than ${MAX_REDIRECTS} redirects`);
    });
  }

  async #fetch(url: URL, request: UpstreamRequest, signal: AbortSignal, options: SendOptions): Promise<Response> {
    const rules: GuardRules = {
      allowHttp: this.#settings.allowHttp,
      ...(options.toOperatorHost ? { operatorHosts: this.#settings.operatorHosts ?? [] } : {}),
    };
    const why = refusal(url, rules);
    if (why !== undefined) throw new EgressError("refused", why);
    return fetch(this.#behindProxy(url), {
      method: request.method ?? "GET",
      headers: { ...request.headers, "user-agent": this.#settings.userAgent },
      ...(request.body === undefined ? {} : { body: request.body }),
      redirect: "manual",
      signal,
    });
  }

  #behindProxy(url: URL): string {
    const { proxy } = this.#settings;
    return proxy === undefined ? url.href : `${proxy.replace(/\/+$/, "")}/${url.host}${url.pathname}${url.search}`;
  }

  /** The time limit covers the whole transfer, not only the headers. */
  async #within<T>(options: SendOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = AbortSignal.timeout(options.timeLimitMs);
    const signal = AbortSignal.any([limit, options.signal]);
    try {
      return await work(signal);
    } catch (error) {
      throw asEgressError(error, signal, limit, options.timeLimitMs);
    }
  }
}

function asEgressError(error: unknown, signal: AbortSignal, limit: AbortSignal, timeLimitMs: number): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.aborted) {
    return new EgressError(
      "timeout",
      limit.aborted ? `no complete answer within ${timeLimitMs} ms` : "the request was ended",
    );
  }
  // The runtime's own message may name the URL, which may hold a key.
  return new EgressError("network", "the connection failed or broke");
}

function parsed(address: string, base?: URL): URL {
  try {
    return new URL(address, base);
  } catch {
    throw new EgressError(base === undefined ? "refused" : "redirects", "not a URL");
  }
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));
}
