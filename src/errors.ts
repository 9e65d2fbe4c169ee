/**
 * Everything that can go wrong for a caller, by a stable code. `routes/problems.ts` gives each its status and its page.
 */
export type ProblemCode =
  | "invalid-request"
  | "not-json"
  | "unsupported-media-type"
  | "body-too-large"
  | "body-too-slow"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "invalid-filename"
  | "filename-conflict"
  | "stem-conflict"
  | "manual-image-kept"
  | "late-attempt"
  | "no-match"
  | "no-pool"
  | "pool-exhausted"
  | "previews-failed"
  | "originals-failed"
  | "promotion-failed"
  | "identity-unconfirmed"
  | "image-refused"
  | "batch-ended"
  | "row-running"
  | "idempotency-mismatch"
  | "idempotency-in-flight"
  | "providers-failed"
  | "no-provider"
  | "misconfigured"
  | "link-invalid"
  | "rate-limited"
  | "internal";

/** Where in the request a fault lies, as RFC 6901 pointer, and what is wrong there. */
export interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error that a caller may see. `message` holds no secret, no URL with a key and no upstream text. */
export class SluiceError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly FieldFault[];
  /** Further members of the problem body, such as `attempts`. */
  readonly context: Readonly<Record<string, unknown>>;

  constructor(
    code: ProblemCode,
    message: string,
    more: { faults?: readonly FieldFault[]; context?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.name = "SluiceError";
    this.code = code;
    this.faults = more.faults ?? [];
    this.context = more.context ?? {};
  }
}
