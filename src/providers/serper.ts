import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { firstText, hostOf, httpUrl, sizeOf, textOf, type JsonObject } from "./fields.ts";
import { googleCountry, googleLanguage } from "./locales.ts";
import { cutToEncoded } from "./query-limits.ts";
import { failure, failureByStatus, missingList, resultsOf, succeeded, withJson } from "./replies.ts";
import type { Credentials, ImageResult, Provider, SearchQuery, WebResult } from "./types.ts";

const NAME = "Serper";
const QUERY_LENGTH = 2048;
const PAGE = 100;

/** Wire: google.serper.dev, `/search` and `/images`. It has no switch for safe search. */
export const serper: Provider = {
  id: "serper",
  name: NAME,
  homepage: "https://serper.dev/api-key",
  credentialSets: [{ key: "SERPER_API_KEY" }],
  billed: true,
  limits: { queryLength: QUERY_LENGTH, pageSize: PAGE, rate: "2,500 queries free of charge, then prepaid" },
  web: {
    timeLimitMs: 8_000,
    request: (query, credentials) => request("search", query, credentials),
    read: (reply, query) => read(reply, query, "organic", webResult),
  },
  images: {
    timeLimitMs: 8_000,
    request: (query, credentials) => request("images", query, credentials),
    read: (reply, query) => read(reply, query, "images", imageResult),
  },
};

function request(path: string, query: SearchQuery, { key = "" }: Credentials): UpstreamRequest {
  return {
    url: `https://google.serper.dev/${path}`,
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({
      q: cutToEncoded(query.query, QUERY_LENGTH),
      gl: googleCountry(query.country),
      hl: googleLanguage(query.locale)?.toLowerCase(),
      num: Math.min(query.num, PAGE),
      page: query.page,
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
  return withJson(reply, NAME, (json) =>
    json[list] === undefined ? missingList(reply, NAME) : resultsOf(reply, NAME, json[list], parse, { num: query.num }),
  );
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 400 && /not enough credits/i.test(reply.body)) {
    return failure(reply, "quota", "The Serper account has no credits left");
  }
  if (reply.status === 401 || reply.status === 403) {
    return failure(reply, "auth", "Serper refuses the key: check SERPER_API_KEY");
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
    snippet: textOf(item.snippet),
    source: hostOf(link),
    ...(date === "" ? {} : { date }),
  };
}

function imageResult(item: JsonObject): ImageResult | undefined {
  const imageUrl = httpUrl(item.imageUrl);
  if (imageUrl === "") return undefined;
  const link = httpUrl(item.link);
  return {
    title: textOf(item.title),
    imageUrl,
    thumbnailUrl: httpUrl(item.thumbnailUrl),
    ...sizeOf(item.imageWidth, item.imageHeight),
    link,
    source: firstText(item.source, item.domain) || hostOf(link),
  };
}
