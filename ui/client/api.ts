import { askForKey, currentKey } from "./key.ts";

export interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error answer, as RFC 9457 has it, or what stands in its place when nobody answered. */
export class ApiError extends Error {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly faults: readonly FieldFault[];
  /** The whole problem. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(typeof body["detail"] === "string" ? body["detail"] : `The server answered HTTP ${status}.`);
    this.status = status;
    this.code = typeof body["code"] === "string" ? body["code"] : "";
    this.title = typeof body["title"] === "string" ? body["title"] : "";
    this.faults = Array.isArray(body["errors"]) ? (body["errors"] as FieldFault[]) : [];
    this.body = body;
  }
}

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** What a signed link opens takes no key. */
  readonly keyless?: boolean;
  /** Milliseconds; 0 waits for as long as the signal lets it. */
  readonly limitMs?: number;
}

/** A little over the longest that a route takes by itself. */
const LIMIT_MS = 100_000;

/** Calls a route of this origin. 401 asks for a key and tries again. Throws ApiError, or AbortError when aborted. */
export async function call(path: string, options: CallOptions = {}): Promise<Response> {
  for (;;) {
    const response = await send(path, options);
    if (response.ok) return response;
    const error = await errorOf(response);
    const given = error.status === 401 && options.keyless !== true && (await askForKey(error.message));
    if (!given) throw error;
  }
}

export async function callJson<T>(path: string, options: CallOptions = {}): Promise<T> {
  return (await (await call(path, options)).json()) as T;
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const { method = "GET", body, headers = {}, signal, keyless = false, limitMs = LIMIT_MS } = options;
  const key = keyless ? undefined : currentKey();
  const limit = limitMs === 0 ? [] : [AbortSignal.timeout(limitMs)];
  try {
    return await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.any([...limit, ...(signal === undefined ? [] : [signal])]),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const late = error instanceof DOMException && error.name === "TimeoutError";
    throw new ApiError(0, {
      title: late ? "No answer in time" : "The server cannot be reached",
      detail: late ? "The server took too long. Try again." : "Check the connection, then try again.",
    });
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => ({}));
  return new ApiError(
    response.status,
    typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {},
  );
}
