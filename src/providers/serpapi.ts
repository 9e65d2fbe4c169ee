import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { httpUrl, hostOf, firstText, objectOf, sizeOf, textOf, type JsonObject } from "./fields.ts";
import { googleCountry, googleLanguage } from "./locales.ts";
import { cutToEncoded } from "./query-limits.ts";
import { failure, failureByStatus, resultsOf, succeeded, withJson } from "./replies.ts";
import type { Credentials, ImageResult, Provider, SearchQuery, WebResult } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "SerpAPI";
const QUERY_LENGTH = 2048;
/** Google fixes the size of a page; `num` is gone since September 2025. */
const WEB_PAGE = 10;
const IMAGE_PAGE = 20;
const LAST_IMAGE_START = 999;

/** Wire: serpapi.com/search-api and /google-images-light-api, engines `google` and `google_images_light`. */
export const serpapi: Provider = {
  id: "serpapi",
  name: NAME,
  homepage: "https://serpapi.com/manage-api-key",
  credentialSets: [{ key: "SERPAPI_API_KEY" }],
  limits: { queryLength: QUERY_LENGTH, pageSize: WEB_PAGE, rate: "by plan: searches a month and an hourly throughput" },
  web: {
    timeLimitMs: 15_000,
    request: (query, credentials) => request("google", query, startOf(query, WEB_PAGE), credentials),
    read: (reply, query) => read(reply, query, "organic_results", webResult),
  },
  images: {
    timeLimitMs: 15_000,
    // Beyond the last start there is nothing: the clamped call is made, and `read` answers `empty`.
    request: (query, credentials) =>
      request("google_images_light", query, Math.min(startOf(query, IMAGE_PAGE), LAST_IMAGE_START), credentials),
    read: (reply, query) => {
      const outcome = read(reply, query, "images_results", imageResult);
      const beyond = startOf(query, IMAGE_PAGE) > LAST_IMAGE_START;
      return beyond && outcome.kind === "hit" ? { kind: "empty" } : outcome;
    },
  },
};

/** Callers who want less than a page step through it in parts; nobody skips results. */
function startOf(query: SearchQuery, pageSize: number): number {
  return (query.page - 1) * Math.min(query.num, pageSize);
}

function request(engine: string, query: SearchQuery, start: number, { key = "" }: Credentials): UpstreamRequest {
  return {
    url: urlWith("https://serpapi.com/search.json", {
      engine,
      q: cutToEncoded(query.query, QUERY_LENGTH),
      gl: googleCountry(query.country),
      hl: googleLanguage(query.locale)?.toLowerCase(),
      safe: query.safe ? "active" : "off",
      start: start > 0 ? start : undefined,
      api_key: key,
    }),
  };
}

function read<R>(
  reply: UpstreamReply,
  query: SearchQuery,
  list: string,
  parse: (item: JsonObject) => R | undefined,
): Outcome<R> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, (json) => {
    const status = objectOf(json.search_metadata)?.status;
    if (status === "Error") return failure(reply, "transient", "The search failed inside SerpAPI");
    if (status === "Processing" || status === "Queued") {
      return failure(reply, "transient", "SerpAPI has not finished the search");
    }
    const outcome = resultsOf(reply, NAME, json[list], parse, { num: query.num });
    if (outcome.kind !== "empty") return outcome;
    return emptiness(reply, status, json.error) ?? outcome;
  });
}

/** SerpAPI words an empty answer as an error; any other error is none of the two. */
function emptiness(reply: UpstreamReply, status: unknown, error: unknown): Failed | undefined {
  if (typeof error === "string" && error !== "" && !/hasn.?t returned any results/i.test(error)) {
    return failure(reply, "transient", "SerpAPI reports an error of the search engine");
  }
  if (status !== "Success") return failure(reply, "malformed", "SerpAPI does not say whether the search succeeded");
  return undefined;
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

function webResult(item: JsonObject): WebResult | undefined {
  const link = httpUrl(item.link);
  if (link === "") return undefined;
  const date = textOf(item.date);
  return {
    title: textOf(item.title),
    link,
    snippet: firstText(item.snippet, item.description),
    source: firstText(item.source) || hostOf(link),
    ...(date === "" ? {} : { date }),
  };
}

function imageResult(item: JsonObject): ImageResult | undefined {
  const imageUrl = httpUrl(item.original);
  if (imageUrl === "") return undefined;
  const link = httpUrl(item.link);
  return {
    title: textOf(item.title),
    imageUrl,
    thumbnailUrl: httpUrl(item.thumbnail),
    ...sizeOf(item.original_width, item.original_height),
    link,
    source: textOf(item.source) || hostOf(link),
  };
}
