/** What Wikipedia and Wikimedia Commons share: the Action API (mediawiki.org/wiki/API:Etiquette, API:Errors). */
import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { objectOf, type JsonObject } from "./fields.ts";
import { failure, failureByStatus, succeeded, withJson } from "./replies.ts";

/** In bytes of UTF-8; a longer search is refused. */
export const SEARCH_BYTES = 300;
/** Largest page of an anonymous client. */
export const SEARCH_PAGE = 50;
/** The search index gives no results past this place. */
const SEARCH_DEPTH = 10_000;

const BROKEN_FOR_THE_MOMENT =
  /^(?:maxlag|readonly|internal_api_error_.*|cirrussearch-too-busy-error|cirrussearch-backend-error)$/;

interface SearchPart {
  readonly limit: number;
  readonly offset: number;
  /** The caller's page lies past the last result that can be had; `offset` is clamped, and the answer is empty. */
  readonly beyond: boolean;
}

export function searchPart(page: number, num: number): SearchPart {
  const limit = Math.min(num, SEARCH_PAGE);
  const offset = (page - 1) * limit;
  const last = SEARCH_DEPTH - limit;
  return { limit, offset: Math.min(offset, last), beyond: offset > last };
}

/** Hands the `query` object of an answer on; errors come with status 200 as well, no `query` means no results. */
export function withQuery<R>(reply: UpstreamReply, name: string, read: (query: JsonObject) => Outcome<R>): Outcome<R> {
  if (!succeeded(reply)) return refusal(reply, name);
  return withJson(reply, name, (json) => {
    const code = objectOf(json.error)?.code ?? reply.headers.get("mediawiki-api-error");
    if (typeof code === "string") return failureByCode(reply, name, code);
    if (json.error !== undefined) return failure(reply, "malformed", `${name} reports an error without a code`);
    if (json.query === undefined || json.query === null) return { kind: "empty" };
    const query = objectOf(json.query);
    if (query === undefined) return failure(reply, "malformed", `${name} answered in another shape than documented`);
    return read(query);
  });
}

function failureByCode(reply: UpstreamReply, name: string, code: string): Failed {
  if (code === "ratelimited") return failure(reply, "rate", `${name} asks us to slow down`);
  if (BROKEN_FOR_THE_MOMENT.test(code)) return failure(reply, "transient", `${name} is busy or being repaired`);
  return failure(reply, "bad-request", `${name} does not take these parameters`);
}

function refusal(reply: UpstreamReply, name: string): Failed {
  if (reply.status === 403 && /user[- ]agent/i.test(reply.body)) {
    return failure(
      reply,
      "blocked",
      `${name} wants a contact in our User-Agent: set CONTACT to a URL or e-mail address`,
    );
  }
  return failureByStatus(reply, name);
}
