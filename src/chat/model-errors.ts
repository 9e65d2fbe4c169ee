import type { FailureClass } from "../cascade/outcome.ts";
import type { EgressReason } from "../egress/egress-error.ts";

/** Why the model gave no answer, or no whole one. The message is ours: no key, no upstream text. */
export class ModelError extends Error {
  readonly class: FailureClass;

  constructor(failureClass: FailureClass, message: string) {
    super(message);
    this.name = "ModelError";
    this.class = failureClass;
  }
}

/** What an OpenAI-compatible status means; `body` tells a spent plan from a call too many. */
export function errorOfStatus(status: number, body: string): ModelError {
  const detail = `the chat model answered ${status}`;
  if (status === 401 || status === 403) return new ModelError("auth", detail);
  if (status === 402) return new ModelError("quota", detail);
  if (status === 429) return new ModelError(/insufficient_quota|billing|credit/i.test(body) ? "quota" : "rate", detail);
  if (status === 408 || status >= 500) return new ModelError("transient", detail);
  if (status >= 400) return new ModelError("bad-request", detail);
  return new ModelError("malformed", detail);
}

/** An `error` object that comes inside a stream whose status was 200. */
export function errorInStream(error: unknown): ModelError {
  const text = JSON.stringify(error) ?? "";
  if (/insufficient_quota|billing|credit/i.test(text)) {
    return new ModelError("quota", "the chat model's plan is used up");
  }
  if (/rate_?limit|"code":\s*"?429/i.test(text)) return new ModelError("rate", "the chat model was asked too often");
  return new ModelError("transient", "the chat model reported an error in its answer");
}

const CLASS_OF: Readonly<Record<EgressReason, FailureClass>> = {
  refused: "blocked",
  timeout: "timeout",
  network: "transient",
  "too-large": "malformed",
  redirects: "malformed",
  "over-budget": "skipped",
};

export function errorOfEgress(reason: EgressReason, message: string): ModelError {
  return new ModelError(CLASS_OF[reason], `the chat model: ${message}`);
}
