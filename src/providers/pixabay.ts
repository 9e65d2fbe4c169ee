import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { firstUrl, httpUrl, pixelsOf, textOf, type JsonObject } from "./fields.ts";
import { pixabayLanguage } from "./locales.ts";
import { cutToCharacters } from "./query-limits.ts";
import {
  failure,
  failureByStatus,
  type ListWindow,
  missingList,
  numbersOfHeader,
  resultsOf,
  succeeded,
  waitOfSeconds,
  withJson,
} from "./replies.ts";
import type { LicensedImage, LicensedImageQuery, Orientation, Provider } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Pixabay";
const QUERY_LENGTH = 100;
const SMALLEST_PAGE = 3;
const LARGEST_PAGE = 200;

/** It knows no squares. */
const ORIENTATION: Readonly<Record<Orientation, string | undefined>> = {
  any: undefined,
  landscape: "horizontal",
  portrait: "vertical",
  square: undefined,
};

/** Wire: pixabay.com/api/docs. Its errors are plain text, and its file addresses expire after about a day. */
export const pixabay: Provider = {
  id: "pixabay",
  name: NAME,
  homepage: "https://pixabay.com/api/docs/",
  credentialSets: [{ key: "PIXABAY_API_KEY" }],
  limits: {
    queryLength: QUERY_LENGTH,
    pageSize: LARGEST_PAGE,
    rate: "100 in 60 seconds; answers are kept for 24 hours",
  },
  /** It asks for 24 hours. Its file addresses end after about a day, so nothing older is of use. */
  cache: { fresh: 86_400, staleIfError: 0, empty: 86_400 },
  licensedImages: {
    timeLimitMs: 10_000,
    request: (query, { key = "" }) => ({
      url: urlWith("https://pixabay.com/api/", {
        key,
        q: cutToCharacters(query.query, QUERY_LENGTH),
        image_type: "photo",
        page: partOf(query).page,
        per_page: partOf(query).size,
        safesearch: "true",
        orientation: ORIENTATION[query.orientation],
        lang: pixabayLanguage(query.query, query.locale),
      }),
      headers: { accept: "application/json" },
    }),
    read: (reply, query) => {
      if (query.page > 1 && isPastTheEnd(reply)) return { kind: "empty" };
      return read(reply, { skip: partOf(query).skip, num: query.num });
    },
  },
  lookup: {
    timeLimitMs: 10_000,
    request: (id, { key = "" }) => ({
      url: urlWith("https://pixabay.com/api/", { key, id }),
      headers: { accept: "application/json" },
    }),
    read: (reply) => read(reply, { num: 1 }),
  },
};

function read(reply: UpstreamReply, window: ListWindow): Outcome<LicensedImage> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, ({ hits }) =>
    hits === undefined ? missingList(reply, NAME) : resultsOf(reply, NAME, hits, licensedImage, window),
  );
}

/** Pages of fewer than three are cut out of a larger one that holds several of them whole. */
function partOf(query: LicensedImageQuery): { page: number; size: number; skip: number } {
  const num = Math.min(query.num, LARGEST_PAGE);
  const size = num * Math.ceil(SMALLEST_PAGE / num);
  const start = (query.page - 1) * num;
  return { page: Math.floor(start / size) + 1, size, skip: start % size };
}

/** A page after the last is an error to Pixabay; for the caller it has no pictures. */
function isPastTheEnd(reply: UpstreamReply): boolean {
  return reply.status === 400 && /\bpage\b\W* is out of valid range/i.test(reply.body);
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 400 && /API key/i.test(reply.body)) {
    return failure(reply, "auth", "Pixabay refuses the key: check PIXABAY_API_KEY");
  }
  if (reply.status === 429) {
    const [seconds] = numbersOfHeader(reply, "x-ratelimit-reset");
    const facts = seconds === undefined ? {} : { retryAfterMs: waitOfSeconds(seconds) };
    return failure(reply, "rate", "The minute's requests at Pixabay are used up", facts);
  }
  return failureByStatus(reply, NAME);
}

function licensedImage(item: JsonObject): LicensedImage | undefined {
  const assetId = textOf(item.id);
  const file = largestFile(item);
  const width = pixelsOf(item.imageWidth);
  const height = pixelsOf(item.imageHeight);
  if (assetId === "" || file === undefined || width === undefined || height === undefined) return undefined;
  return {
    provider: "pixabay",
    assetId,
    title: textOf(item.tags) || "Pixabay image",
    author: textOf(item.user),
    sourcePageUrl: httpUrl(item.pageURL),
    downloadUrl: file.url,
    previewUrl: firstUrl(item.webformatURL, item.previewURL),
    width,
    height,
    ...(width > 0 && height > 0 ? { fetchable: within(width, height, file.longerSide) } : {}),
    license: { name: "Pixabay Content License", url: "https://pixabay.com/service/license-summary/" },
  };
}

/** The claimed pixels are those of an original that Pixabay does not hand out. */
function largestFile(item: JsonObject): { url: string; longerSide: number } | undefined {
  const files = [
    { url: httpUrl(item.largeImageURL), longerSide: 1280 },
    { url: httpUrl(item.webformatURL), longerSide: 640 },
    { url: httpUrl(item.previewURL), longerSide: 150 },
  ];
  return files.find(({ url }) => url !== "");
}

function within(width: number, height: number, longerSide: number): { width: number; height: number } {
  const scale = Math.min(1, longerSide / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
