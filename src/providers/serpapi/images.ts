import { hostOf, httpUrl, sizeOf, textOf, type JsonObject } from "../fields.ts";
import { bingMarket, googleCountry, googleLanguage } from "../locales.ts";
import type { Capability, ImageResult, SearchQuery } from "../types.ts";
import { engineRequest, queryText, readList, startOf, TIME_LIMIT_MS } from "./search.ts";

const LIGHT_PAGE = 20;
const LAST_LIGHT_START = 999;
/** `ijn` counts batches of this size. */
const BATCH = 100;
const BING_PAGE = 100;

type ImageEngine = Capability<SearchQuery, ImageResult>;

const LIST = "images_results";

/** Wire: serpapi.com/google-images-light-api. */
export const googleImagesLight: ImageEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    // Beyond the last start there is nothing: the clamped call is made, and `read` answers `empty`.
    const start = Math.min(startOf(query, LIGHT_PAGE), LAST_LIGHT_START);
    return engineRequest(
      "google_images_light",
      { ...googleParameters(query), start: start > 0 ? start : undefined },
      credentials,
    );
  },
  read: (reply, query) => {
    const outcome = readList(reply, query, LIST, imageResult);
    const beyond = startOf(query, LIGHT_PAGE) > LAST_LIGHT_START;
    return beyond && outcome.kind === "hit" ? { kind: "empty" } : outcome;
  },
};

/** Wire: serpapi.com/google-images-api. */
export const googleImages: ImageEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    const { batch } = placeOf(query);
    return engineRequest(
      "google_images",
      { ...googleParameters(query), ijn: batch > 0 ? batch : undefined },
      credentials,
    );
  },
  read: (reply, query) => readList(reply, query, LIST, imageResult, placeOf(query).skip),
};

/** Wire: serpapi.com/bing-images-api; `first` counts results from 1. */
export const bingImages: ImageEngine = {
  timeLimitMs: TIME_LIMIT_MS,
  request: (query, credentials) => {
    const start = startOf(query, BING_PAGE);
    return engineRequest(
      "bing_images",
      {
        q: queryText(query),
        ...bingMarket(query.locale, query.country),
        safeSearch: query.safe ? "Strict" : "Off",
        count: Math.min(query.num, BING_PAGE),
        first: start > 0 ? start + 1 : undefined,
      },
      credentials,
    );
  },
  read: (reply, query) => readList(reply, query, LIST, imageResult),
};

function googleParameters(query: SearchQuery): Record<string, string | undefined> {
  return {
    q: queryText(query),
    gl: googleCountry(query.country),
    hl: googleLanguage(query.locale)?.toLowerCase(),
    safe: query.safe ? "active" : "off",
  };
}

/** The caller's page within the batches: the last page of a batch is the shorter one, so that no result is skipped. */
function placeOf({ page, num }: SearchQuery): { batch: number; skip: number } {
  const pagesInBatch = Math.ceil(BATCH / num);
  return { batch: Math.floor((page - 1) / pagesInBatch), skip: ((page - 1) % pagesInBatch) * num };
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
