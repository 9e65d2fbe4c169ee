import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { arrayOf, firstText, firstUrl, hostOf, httpUrl, textOf, type JsonObject } from "./fields.ts";
import { searxngLanguage } from "./locales.ts";
import { failure, failureByStatus, missingList, resultsOf, succeeded, withJson } from "./replies.ts";
import type { Credentials, ImageResult, Provider, SearchQuery, WebResult } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "SearXNG";

/** Wire: docs.searxng.org/dev/search_api.html, `format=json`. The operator names the host. */
export const searxng: Provider = {
  id: "searxng",
  name: NAME,
  homepage: "https://docs.searxng.org/admin/installation.html",
  credentialSets: [{ base: "SEARXNG_URL" }],
  limits: { pageSize: 100, rate: "as its operator sets it" },
  operatorHost: true,
  web: {
    timeLimitMs: 10_000,
    request: (query, credentials) => request("general", query, credentials),
    read: (reply, query) => read(reply, query, webResult),
  },
  images: {
    timeLimitMs: 10_000,
    request: (query, credentials) => request("images", query, credentials),
    read: (reply, query) => read(reply, query, imageResult),
  },
};

function request(categories: string, query: SearchQuery, { base = "" }: Credentials): UpstreamRequest {
  return {
    url: urlWith(`${base}/search`, {
      q: query.query,
      format: "json",
      categories,
      pageno: query.page,
      language: searxngLanguage(query.locale),
      safesearch: query.safe ? 2 : 0,
    }),
    headers: { accept: "application/json" },
  };
}

function read<R>(reply: UpstreamReply, query: SearchQuery, parse: (item: JsonObject) => R | undefined): Outcome<R> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, (json) => {
    if (json.results === undefined) return missingList(reply, NAME);
    const outcome = resultsOf(reply, NAME, json.results, parse, { num: query.num });
    // Nothing found by nobody is not the same as nothing there.
    return outcome.kind === "empty" && arrayOf(json.unresponsive_engines).length > 0
      ? failure(reply, "transient", "Search engines behind SearXNG do not answer it")
      : outcome;
  });
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 403) {
    return failure(reply, "auth", "SearXNG there does not allow format=json: enable it in settings.yml");
  }
  if (reply.status === 404) {
    return failure(reply, "bad-request", "There is no SearXNG search at SEARXNG_URL: check the address");
  }
  if (reply.status === 429) return failure(reply, "rate", "The limiter of SearXNG stops us: allow this client in it");
  return failureByStatus(reply, NAME);
}

function webResult(item: JsonObject): WebResult | undefined {
  const link = httpUrl(item.url);
  if (link === "") return undefined;
  const date = textOf(item.publishedDate);
  return {
    title: textOf(item.title),
    link,
    snippet: textOf(item.content),
    source: textOf(item.source) || hostOf(link),
    ...(date === "" ? {} : { date }),
  };
}

function imageResult(item: JsonObject): ImageResult | undefined {
  const imageUrl = httpUrl(item.img_src);
  if (imageUrl === "") return undefined;
  const link = httpUrl(item.url);
  return {
    title: firstText(item.title, item.content),
    imageUrl,
    thumbnailUrl: firstUrl(item.thumbnail_src, item.thumbnail),
    link,
    source: textOf(item.source) || hostOf(link),
  };
}
