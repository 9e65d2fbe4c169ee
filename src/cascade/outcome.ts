/**
 * What became of one provider call. Empty and failed are different things and stay different everywhere:
 * `empty` means that the provider answered and has nothing, `failed` that we do not know.
 */
export type Outcome<T> = Hit<T> | Empty | Failed;

export interface Hit<T> {
  readonly kind: "hit";
  /** At least one result, in the provider's order. */
  readonly results: readonly T[];
  /** The failure that cut a search of several calls short: there may be more than `results`. */
  readonly endedBy?: Failed;
  /** Given from the cache: nobody was called. */
  readonly cached?: true;
}

export interface Empty {
  readonly kind: "empty";
  readonly cached?: true;
}

export interface Failed {
  readonly kind: "failed";
  readonly class: FailureClass;
  /** In our own words: never text from upstream, never a secret, never a URL. */
  readonly detail: string;
  /** The HTTP status, where one arrived. */
  readonly status?: number;
  /** How long the provider asks us to stay away, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The same call can never work again with this key (closed product, wrong account). */
  readonly permanent?: true;
}

/**
 * - `auth`: the key is missing, wrong or not allowed to do this
 * - `quota`: the plan or day is used up
 * - `rate`: too fast; `retryAfterMs` says for how long
 * - `timeout`: our time limit ran out
 * - `transient`: the provider is broken for the moment
 * - `bad-request`: the provider does not take these parameters
 * - `blocked`: refused because of our address, our User-Agent or a safety rule
 * - `malformed`: the answer is not what the provider's documentation promises
 * - `skipped`: not called (no key, suspended, sunset, switched off)
 */
export type FailureClass =
  | "auth"
  | "quota"
  | "rate"
  | "timeout"
  | "transient"
  | "bad-request"
  | "blocked"
  | "malformed"
  | "skipped";

/** A hit, or `empty` when there is nothing to keep. */
export function hitOrEmpty<T>(results: readonly T[]): Outcome<T> {
  return results.length > 0 ? { kind: "hit", results } : { kind: "empty" };
}

export function failed(
  failureClass: FailureClass,
  detail: string,
  facts: Pick<Failed, "status" | "retryAfterMs" | "permanent"> = {},
): Failed {
  return { kind: "failed", class: failureClass, detail, ...facts };
}

/** Whether an outcome came from the cache. */
export function isKept(outcome: Outcome<unknown>): boolean {
  return outcome.kind !== "failed" && outcome.cached === true;
}
