import type { FailureClass } from "../../../src/cascade/outcome.ts";

/** One answer of an upstream that is no hit, and what it means. */
export interface FaultCase {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly expected: FailureClass | "empty";
  /** The same call can never work again with this key. */
  readonly permanent?: true;
  /** How long the wire asks to stay away, where it says so. */
  readonly retryAfterMs?: number;
}

/** What real answers repeat of the request and of the hour. */
export interface CaseFacts {
  /** The caller's key, which several upstreams repeat in their error texts; may be empty. */
  readonly key: string;
  /** Unix time, for wires that name the moment of a reset. */
  readonly nowSeconds: number;
}

type Extra = Partial<Pick<FaultCase, "headers" | "permanent" | "retryAfterMs">>;

export function jsonCase(
  id: string,
  status: number,
  expected: FaultCase["expected"],
  body: unknown,
  extra: Extra = {},
): FaultCase {
  return textCase(id, status, expected, "application/json; charset=utf-8", JSON.stringify(body), extra);
}

export function plainCase(
  id: string,
  status: number,
  expected: FaultCase["expected"],
  body: string,
  extra: Extra = {},
): FaultCase {
  return textCase(id, status, expected, "text/plain; charset=utf-8", body, extra);
}

export function htmlCase(
  id: string,
  status: number,
  expected: FaultCase["expected"],
  text: string,
  extra: Extra = {},
): FaultCase {
  const page = `<!DOCTYPE html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
  return textCase(id, status, expected, "text/html; charset=utf-8", page, extra);
}

function textCase(
  id: string,
  status: number,
  expected: FaultCase["expected"],
  contentType: string,
  body: string,
  { headers = {}, ...facts }: Extra,
): FaultCase {
  return { id, status, expected, body, headers: { "content-type": contentType, ...headers }, ...facts };
}
