import type { Checker } from "../openapi/checker.ts";
import { SECRETS, type Tenant, TENANTS } from "./tenants.ts";

export interface Answer {
  readonly operationId: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Empty where the bytes are no text. */
  readonly text: string;
}

/** What was asked, as far as its answer is judged by it. */
export interface Asked {
  /** Whose answer it is; undefined where nobody named himself. */
  readonly tenant: Tenant | undefined;
  /** The operation is meant, so its answer has to be one that is described. */
  readonly isDescribed: boolean;
}

/** Paths of our files, and what engines write in front of a place in them. */
const INSIDES = /\bat (?:async )?\S+ \(\S+:\d+:\d+\)|node_modules|"stack":/;
const BINARY = /^(?:image\/|application\/(?:zip|octet-stream))/;
/** They are the same for everybody, and speak of insides by their trade. */
const OF_OURS = new Set(["getDescription", "getDocs", "getProblem"]);

export function textOf(headers: Headers, bytes: Uint8Array): string {
  return BINARY.test(headers.get("content-type") ?? "") ? "" : new TextDecoder().decode(bytes);
}

/** What is wrong with an answer; nothing where all is well. */
export function faultsOf({ operationId, status, headers, text }: Answer, asked: Asked, checker: Checker): string[] {
  const outside = `${JSON.stringify([...headers])}\n${text}`;
  const faults = [];
  if (SECRETS.some((secret) => outside.includes(secret))) faults.push("a secret stands in it");
  const strange = TENANTS.filter((each) => each !== asked.tenant && outside.includes(each.mark));
  if (asked.tenant !== undefined && strange.length > 0) faults.push(`it shows something of ${strange[0]!.name}`);
  if (text.includes('"code":"internal"')) faults.push("it broke");
  if (!OF_OURS.has(operationId) && INSIDES.test(text)) faults.push("it shows our insides");
  if (!headers.has("x-request-id")) faults.push("it has no X-Request-Id");
  if (asked.isDescribed) {
    const contentType = (headers.get("content-type") ?? "").replace(/\s*;.*/, "");
    const body = text === "" && contentType.startsWith("image/") ? "(bytes)" : text;
    faults.push(...checker.response({ operationId, status, contentType, body }).slice(0, 3));
  } else if (status >= 500) faults.push(`it is a ${status}`);
  return faults.map((fault) => `${fault}: ${operationId} ${status} ${text.slice(0, 400)}`);
}
