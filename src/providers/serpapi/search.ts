/** What all engines of SerpAPI share: the address, the states of a search, and the refusals (serpapi.com/search-api). */
import type { Empty, Failed, Outcome } from "../../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../../egress/wire.ts";
import { objectOf, type JsonObject } from "../fields.ts";
import { cutToEncoded } from "../query-limits.ts";
import { failure, failureByStatus, resultsOf, succeeded, withJson } from "../replies.ts";
import type { Credentials, SearchQuery } from "../types.ts";
import { urlWith } from "../urls.ts";

export const NAME = "SerpAPI";
/** Percent-encoded characters. */
export const QUERY_LENGTH = 2048;
/** Search by image takes longer than search by words, but who waits for more than this has left. */
export const TIME_LIMIT_MS = 15_000;

/** The request of one engine; parameters that are `undefined` are left out. The key can stand in the query only. */
export function engineRequest(
  engine: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
  { key = "" }: Credentials,
): UpstreamRequest {
  return { url: urlWith("https://serpapi.com/search.json", { engine, ...parameters, api_key: key }) };
}

export function queryText(query: SearchQuery): string {
  return cutToEncoded(query.query, QUERY_LENGTH);
}

/** Callers who want less than a page step through it in parts; nobody skips results. */
export function startOf(query: SearchQuery, pageSize: number): number {
  return (query.page - 1) * Math.min(query.num, pageSize);
}

/** The results of an engine that answers with one list; `skip` for engines whose pages are larger than ours. */
export function readList<R>(
  reply: UpstreamReply,
  query: SearchQuery,
  list: string,
  parse: (item: JsonObject) => R | undefined,
  skip = 0,
): Outcome<R> {
  return readAnswer(reply, (json) => resultsOf(reply, NAME, json[list], parse, { skip, num: query.num }));
}

/**
 * Hands the JSON of a finished search on. What `read` takes for empty is looked at again: SerpAPI words an empty answer
 * as an error, and a broken search is one as well.
 */
export function readAnswer<R>(reply: UpstreamReply, read: (json: JsonObject) => Outcome<R>): Outcome<R> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, (json) => {
    const status = objectOf(json.search_metadata)?.status;
    if (status === "Error") return failure(reply, "transient", "The search failed inside SerpAPI");
    if (status === "Processing" || status === "Queued") {
      return failure(reply, "transient", "SerpAPI has not finished the search");
    }
    const outcome = read(json);
    return outcome.kind === "empty" ? emptiness(reply, status, json.error, outcome) : outcome;
  });
}

/** Whether SerpAPI says of itself that the engine has nothing. */
export function saysNothingFound(error: unknown): boolean {
  return typeof error === "string" && /hasn.?t returned any results/i.test(error);
}

function emptiness(reply: UpstreamReply, status: unknown, error: unknown, empty: Empty): Empty | Failed {
  if (typeof error === "string" && error !== "" && !saysNothingFound(error)) {
    return failure(reply, "transient", "SerpAPI reports an error of the search engine");
  }
  if (status !== "Success") return failure(reply, "malformed", "SerpAPI does not say whether the search succeeded");
  return empty;
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 401) return failure(reply, "auth", "SerpAPI refuses the key: check SERPAPI_API_KEY");
  if (reply.status === 403)
    return failure(reply, "auth", "SerpAPI refuses the account: it is deleted or may not do this");
  if (reply.status === 429) {
    return /run out of searches|searches .*run out/i.test(reply.body)
      ? failure(reply, "quota", "The SerpAPI plan has no searches left")
      : failure(reply, "rate", "The hourly throughput of the SerpAPI plan is reached");
  }
  return failureByStatus(reply, NAME);
}
