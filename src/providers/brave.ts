import type { Failed } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { arrayOf, firstText, hostOf, httpUrl, objectOf, sizeOf, textOf, type JsonObject } from "./fields.ts";
import { braveCountry, braveLanguage } from "./locales.ts";
import { cutToCharacters, cutToWords } from "./query-limits.ts";
import {
  errorObject,
  failure,
  failureByStatus,
  numbersOfHeader,
  resultsOf,
  succeeded,
  waitOfSeconds,
  withJson,
} from "./replies.ts";
import type { Credentials, ImageResult, Provider, SearchQuery, WebResult } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Brave";
const QUERY_LENGTH = 400;
const QUERY_WORDS = 50;
const WEB_PAGE = 20;
/** `offset` counts pages. */
const LAST_OFFSET = 9;
/** The image search has no pages: an answer holds the first 200 at most. */
const IMAGES = 200;

/** Wire: api.search.brave.com/res/v1, `/web/search` and `/images/search`. */
export const brave: Provider = {
  id: "brave",
  name: NAME,
  homepage: "https://api-dashboard.search.brave.com/app/keys",
  credentialSets: [{ key: "BRAVE_API_KEY" }],
  billed: true,
  limits: { queryLength: QUERY_LENGTH, pageSize: WEB_PAGE, rate: "by plan, a second and a month; 10 pages deep" },
  /** Plans without storage rights allow no more than transient copies. */
  cache: { fresh: 300, staleIfError: 0 },
  web: {
    timeLimitMs: 8_000,
    request: (query, credentials) =>
      request("web", query, credentials, {
        count: Math.min(query.num, WEB_PAGE),
        // Beyond the last page there is nothing: the clamped call is made, and `read` answers `empty`.
        offset: Math.min(query.page - 1, LAST_OFFSET),
        safesearch: query.safe ? "strict" : "off",
        result_filter: "web",
      }),
    read: (reply, query) => {
      if (!succeeded(reply)) return refusal(reply);
      return withJson(reply, NAME, (json) => {
        const web = json.web ?? {};
        // A `web` of another type goes on as it is, to be refused as no list.
        const list = objectOf(web) === undefined ? web : objectOf(web)?.results;
        const outcome = resultsOf(reply, NAME, list, webResult, { num: query.num });
        return outcome.kind === "hit" && query.page - 1 > LAST_OFFSET ? { kind: "empty" } : outcome;
      });
    },
  },
  images: {
    timeLimitMs: 8_000,
    request: (query, credentials) =>
      request("images", query, credentials, {
        count: Math.min(query.page * query.num, IMAGES),
        safesearch: query.safe ? "strict" : "off",
      }),
    read: (reply, query) => {
      if (!succeeded(reply)) return refusal(reply);
      return withJson(reply, NAME, (json) =>
        resultsOf(reply, NAME, json.results, imageResult, { skip: (query.page - 1) * query.num, num: query.num }),
      );
    },
  },
};

function request(
  kind: "web" | "images",
  query: SearchQuery,
  { key = "" }: Credentials,
  parameters: Readonly<Record<string, string | number>>,
): UpstreamRequest {
  return {
    url: urlWith(`https://api.search.brave.com/res/v1/${kind}/search`, {
      q: cutToCharacters(cutToWords(query.query, QUERY_WORDS), QUERY_LENGTH),
      country: braveCountry(query.country),
      search_lang: braveLanguage(query.locale),
      ...parameters,
    }),
    headers: { accept: "application/json", "x-subscription-token": key },
  };
}

function refusal(reply: UpstreamReply): Failed {
  const { status } = reply;
  if (status === 401 || (status === 422 && namesTheToken(reply))) {
    return failure(reply, "auth", "Brave refuses the key: check BRAVE_API_KEY");
  }
  if (status === 403 || status === 404) {
    return failure(reply, "auth", "The Brave plan of this key does not include this search");
  }
  return status === 429 ? limited(reply) : failureByStatus(reply, NAME);
}

/** Brave answers a wrong token with 422, as it does for every wrong parameter. */
function namesTheToken(reply: UpstreamReply): boolean {
  const error = objectOf(errorObject(reply).error);
  if (error?.code === "SUBSCRIPTION_TOKEN_INVALID") return true;
  const locations = arrayOf(objectOf(error?.meta)?.errors).flatMap((each) => arrayOf(objectOf(each)?.loc));
  return locations.some((part) => typeof part === "string" && part.toLowerCase() === "x-subscription-token");
}

/** The rate headers hold two numbers: for the second, and for the month. */
function limited(reply: UpstreamReply): Failed {
  const [, monthRemaining] = numbersOfHeader(reply, "x-ratelimit-remaining");
  const [secondReset, monthReset] = numbersOfHeader(reply, "x-ratelimit-reset");
  const month = monthRemaining === 0;
  const reset = month ? monthReset : secondReset;
  const facts = reset === undefined ? {} : { retryAfterMs: waitOfSeconds(reset) };
  return month
    ? failure(reply, "quota", "The month's searches of the Brave plan are used up", facts)
    : failure(reply, "rate", "Brave asks us to slow down", facts);
}

function webResult(item: JsonObject): WebResult | undefined {
  const link = httpUrl(item.url);
  if (link === "") return undefined;
  const date = firstText(item.age, item.page_age);
  return {
    title: textOf(item.title),
    link,
    snippet: textOf(item.description),
    source: textOf(objectOf(item.meta_url)?.hostname) || hostOf(link),
    ...(date === "" ? {} : { date }),
  };
}

function imageResult(item: JsonObject): ImageResult | undefined {
  const properties = objectOf(item.properties);
  const imageUrl = httpUrl(properties?.url);
  if (imageUrl === "") return undefined;
  const link = httpUrl(item.url);
  return {
    title: textOf(item.title),
    imageUrl,
    thumbnailUrl: httpUrl(objectOf(item.thumbnail)?.src),
    ...sizeOf(properties?.width, properties?.height),
    link,
    source: textOf(item.source) || hostOf(link),
  };
}
