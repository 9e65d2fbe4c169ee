import { setTimeout as wait } from "node:timers/promises";
import { type EventSourceMessage, EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { CommandError, Interrupted, type Problem, ProblemError } from "./failure.ts";

const REQUEST_MS = 120_000;
const MAX_JSON_BYTES = 16 * 1024 * 1024;
/** The largest original, and some room. */
const MAX_FILE_BYTES = 26 * 1024 * 1024;
/** How often a request waits for a key's rate limit, and how long at most. */
const MOST_WAITS = 5;
const LONGEST_WAIT_S = 90;

export interface ClientOptions {
  /** Origin, without a trailing slash. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`, and nowhere else. */
  readonly key?: string;
  /** Ends every request that is under way. */
  readonly signal: AbortSignal;
}

export interface RequestOptions {
  readonly body?: unknown;
}

/** `POST /v1/answer` has a shape of its own for when everybody failed. */
const failureSchema = z.looseObject({ error: z.string() });
const problemSchema = z.looseObject({ status: z.number(), code: z.string(), detail: z.string() });

/**
 * The HTTP API of one Sluice. Every method throws `ProblemError` for what the service refuses, `CommandError` where
 * none answers, and `Interrupted` once its signal has ended.
 */
export class Client {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The same service, whose requests end with another signal. */
  withSignal(signal: AbortSignal): Client {
    return new Client({ ...this.#options, signal });
  }

  /** One JSON answer, checked against `schema`, which must not change what it checks. */
  async json<S extends z.ZodType>(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    schema: S,
    options: RequestOptions = {},
  ): Promise<z.infer<S>> {
    const response = await this.#send(method, path, options);
    const value = parseJson(await this.#text(response));
    // As it came: members keep their order, and go into files like that.
    if (schema.safeParse(value).success) return value as z.infer<S>;
    throw new CommandError(`${this.#options.url} does not answer ${path} as a Sluice of this version does.`);
  }

  /** For requests whose answer has no body. */
  async call(method: "DELETE" | "POST", path: string, options: RequestOptions = {}): Promise<void> {
    const response = await this.#send(method, path, options);
    await response.body?.cancel();
  }

  /** A file of a project; undefined where there is none. */
  async file(path: string): Promise<Buffer | undefined> {
    try {
      return await this.#bytes(await this.#send("GET", path, {}), MAX_FILE_BYTES);
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) return undefined;
      throw error;
    }
  }

  /** The events of a stream behind `lastEventId`, until the service ends it. */
  async *events(path: string, lastEventId: string | undefined): AsyncGenerator<EventSourceMessage> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await this.#fetch("GET", path, headers, undefined, this.#options.signal);
    if (!response.ok) throw await this.#problem(response);
    const stream = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    try {
      for await (const event of stream) yield event;
    } catch (error) {
      throw this.#failure(error, this.#options.signal);
    }
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<Response> {
    const signal = this.#signal();
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    for (let waits = 0; ; waits++) {
      const response = await this.#fetch(method, path, headers, body, signal);
      if (response.ok) return response;
      const seconds = Number(response.headers.get("retry-after"));
      const isLimited = response.status === 429 && seconds > 0 && seconds <= LONGEST_WAIT_S;
      if (!isLimited || waits >= MOST_WAITS) throw await this.#problem(response);
      await response.body?.cancel();
      await wait(seconds * 1_000, undefined, { signal }).catch((error: unknown) => {
        throw this.#failure(error, signal);
      });
    }
  }

  async #fetch(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, key } = this.#options;
    try {
      return await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
        ...(body === undefined ? {} : { body }),
        // A service does not redirect, and a key must not go anywhere else.
        redirect: "error",
        signal,
      });
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  async #problem(response: Response): Promise<ProblemError | CommandError> {
    const body = parseJson(await this.#text(response));
    const { status } = response;
    const problem = problemSchema.safeParse(body);
    if (problem.success) return new ProblemError(problem.data as Problem);
    const failure = failureSchema.safeParse(body);
    if (failure.success) {
      const { error: code } = failure.data;
      return new ProblemError({ ...failure.data, status, code, detail: `Nobody could answer (${code}).` });
    }
    return new CommandError(`${this.#options.url} answered HTTP ${response.status}, and not as a Sluice does.`);
  }

  async #text(response: Response): Promise<string> {
    return (await this.#bytes(response, MAX_JSON_BYTES)).toString("utf8");
  }

  async #bytes(response: Response, most: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk as Uint8Array);
        size += (chunk as Uint8Array).byteLength;
        if (size > most) throw new CommandError(`${this.#options.url} sent more than ${most} bytes.`);
      }
    } catch (error) {
      throw error instanceof CommandError ? error : this.#failure(error, this.#options.signal);
    }
    return Buffer.concat(chunks);
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#options.signal, AbortSignal.timeout(REQUEST_MS)]);
  }

  #failure(cause: unknown, signal: AbortSignal): CommandError {
    if (this.#options.signal.aborted) return new Interrupted();
    const why = signal.aborted ? "did not answer in time" : "cannot be reached";
    return new CommandError(`${this.#options.url} ${why}.`, 1, { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
