import { firstText, hostOf, httpUrl, textOf, type JsonObject } from "../fields.ts";
import { bingMarket, googleCountry, googleLanguage } from "../locales.ts";
import type { Capability, SearchQuery, WebResult } from "../types.ts";
import { engineRequest, queryText, readList, startOf, TIME_LIMIT_MS } from "./search.ts";

/** Google and Bing fix the size of a page; `num` is gone since September 2025. */
export const WEB_PAGE = 10;
const BAIDU_PAGE = 50;

type WebEngine = Capability<SearchQuery, WebResult>;

const read: WebEngine["read"] = (reply, query) => readList(reply, query, "organic_results", webResult);

/** Wire: serpapi.com/search-api. */
export const google: WebEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    const start = startOf(query, WEB_PAGE);
    return engineRequest(
      "google",
      {
        q: queryText(query),
        gl: googleCountry(query.country),
        hl: googleLanguage(query.locale)?.toLowerCase(),
        safe: query.safe ? "active" : "off",
        start: start > 0 ? start : undefined,
      },
      credentials,
    );
  },
  read,
};

/** Wire: serpapi.com/bing-search-api; `first` counts results from 1. */
export const bing: WebEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    const start = startOf(query, WEB_PAGE);
    return engineRequest(
      "bing",
      {
        q: queryText(query),
        ...bingMarket(query.locale, query.country),
        safeSearch: query.safe ? "Strict" : "Off",
        first: start > 0 ? start + 1 : undefined,
      },
      credentials,
    );
  },
  read,
};

/** Wire: serpapi.com/baidu-search-api; it knows neither countries nor safe search. */
export const baidu: WebEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    const start = startOf(query, BAIDU_PAGE);
    return engineRequest(
      "baidu",
      { q: queryText(query), rn: Math.min(query.num, BAIDU_PAGE), pn: start > 0 ? start : undefined },
      credentials,
    );
  },
  read,
};

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
