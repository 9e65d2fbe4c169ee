/** What all wires have in common: statuses, waiting times, JSON bodies and result lists. */
import { failed, hitOrEmpty, type Failed, type FailureClass, type Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { numberOf, objectOf, type JsonObject } from "./fields.ts";

/** A waiting time beyond the longest billing month is a mistake of the provider. */
const LONGEST_WAIT_MS = 32 * 24 * 3_600_000;

export function succeeded(reply: UpstreamReply): boolean {
  return reply.status >= 200 && reply.status < 300;
}

/** A failure with the status of the reply and, where the provider gave one, its waiting time. */
export function failure(
  reply: UpstreamReply,
  failureClass: FailureClass,
  detail: string,
  facts: Pick<Failed, "retryAfterMs" | "permanent"> = {},
): Failed {
  const asksToWait = failureClass === "rate" || failureClass === "quota" || failureClass === "transient";
  const wait = facts.retryAfterMs ?? (asksToWait ? retryAfterMs(reply) : undefined);
  return failed(failureClass, detail, {
    status: reply.status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(facts.permanent ? { permanent: true } : {}),
  });
}

/** The class of a status that the provider's own table does not name. */
export function failureByStatus(reply: UpstreamReply, name: string): Failed {
  const { status } = reply;
  if (status === 401 || status === 403) return failure(reply, "auth", `${name} does not let us make this call`);
  if (status === 402) return failure(reply, "quota", `The plan at ${name} is used up`);
  if (status === 408) return failure(reply, "transient", `${name} gave up waiting for our request`);
  if (status === 429) return failure(reply, "rate", `${name} asks us to slow down`);
  if (status >= 500) return failure(reply, "transient", `${name} is out of order for the moment`);
  if (status >= 400) return failure(reply, "bad-request", `${name} does not take these parameters`);
  // These APIs never redirect: a login page or a moved endpoint stands behind it, and asking again does not help.
  if (status >= 300) return failure(reply, "malformed", `${name} redirects where its API should answer`);
  return failure(reply, "malformed", `${name} answered with a status that its API does not use`);
}

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds: seconds, or an HTTP date relative to the arrival. */
export function retryAfterMs(reply: UpstreamReply): number | undefined {
  const value = reply.headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return waitOfSeconds(Number(value));
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : bounded(date - reply.receivedAt);
}

export function waitOfSeconds(seconds: number): number {
  return bounded(seconds * 1000);
}

/** Milliseconds until a Unix time in seconds. */
export function waitUntilUnix(seconds: number, reply: UpstreamReply): number {
  return bounded(seconds * 1000 - reply.receivedAt);
}

function bounded(ms: number): number {
  return Math.round(Math.min(Math.max(ms, 0), LONGEST_WAIT_MS));
}

/** The numbers of a header such as `1, 15000`, in order; empty where it is absent or holds anything else. */
export function numbersOfHeader(reply: UpstreamReply, header: string): readonly number[] {
  const numbers = (reply.headers.get(header) ?? "").split(",").map(numberOf);
  return numbers.every((number) => number !== undefined) ? numbers : [];
}

/** The object in an error body, where there is one. */
export function errorObject(reply: UpstreamReply): JsonObject {
  return objectOf(parsed(reply.body)) ?? {};
}

/** Hands the JSON object of a successful reply on; everything else is `malformed`. */
export function withJson<R>(reply: UpstreamReply, name: string, read: (json: JsonObject) => Outcome<R>): Outcome<R> {
  const json = objectOf(parsed(reply.body));
  if (json !== undefined) return read(json);
  const what = /^\s*</.test(reply.body) ? "a web page" : "something unreadable";
  return failure(reply, "malformed", `${name} sent ${what} where JSON is due`);
}

export interface ListWindow {
  /** Items that belong to earlier pages, for wires that cannot skip them. */
  readonly skip?: number;
  readonly num: number;
}

/**
 * The results of a list, unusable items left out, cut to the window. An absent or null list is `empty`, any other
 * type `malformed`.
 */
export function resultsOf<R>(
  reply: UpstreamReply,
  name: string,
  list: unknown,
  parse: (item: JsonObject) => R | undefined,
  window: ListWindow,
): Outcome<R> {
  if (list === undefined || list === null) return { kind: "empty" };
  if (!Array.isArray(list))
    return failure(reply, "malformed", `${name} sent its results in another shape than documented`);
  const usable = list.flatMap((item: unknown) => {
    const object = objectOf(item);
    const result = object === undefined ? undefined : parse(object);
    return result === undefined ? [] : [result];
  });
  const skip = window.skip ?? 0;
  return hitOrEmpty(usable.slice(skip, skip + window.num));
}

/** For lists that the provider always sends, empty or not: without one we do not know what it found. */
export function missingList(reply: UpstreamReply, name: string): Failed {
  return failure(reply, "malformed", `${name} sent no result list`);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
