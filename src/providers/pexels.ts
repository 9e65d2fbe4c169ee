import type { Failed } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { firstUrl, httpUrl, objectOf, pixelsOf, textOf, type JsonObject } from "./fields.ts";
import { pexelsLocale } from "./locales.ts";
import { cutToCharacters } from "./query-limits.ts";
import {
  failure,
  failureByStatus,
  missingList,
  numbersOfHeader,
  resultsOf,
  retryAfterMs,
  succeeded,
  waitUntilUnix,
  withJson,
} from "./replies.ts";
import type { LicensedImage, Provider } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Pexels";
const QUERY_LENGTH = 200;
const PAGE = 80;
/** The hourly allowance is back within an hour; a reset further off is the monthly one. */
const HOUR_MS = 3_600_000;

/** Wire: pexels.com/api/documentation, `/v1/search`. No `size`: `large` would mean 24 megapixels and more. */
export const pexels: Provider = {
  id: "pexels",
  name: NAME,
  homepage: "https://www.pexels.com/api/key/",
  credentialSets: [{ key: "PEXELS_API_KEY" }],
  limits: { queryLength: QUERY_LENGTH, pageSize: PAGE, rate: "200 an hour and 20,000 a month" },
  cache: { fresh: 3_600, staleIfError: 604_800 },
  licensedImages: {
    timeLimitMs: 10_000,
    request: (query, { key = "" }) => ({
      url: urlWith("https://api.pexels.com/v1/search", {
        query: cutToCharacters(query.query, QUERY_LENGTH),
        page: query.page,
        per_page: Math.min(query.num, PAGE),
        orientation: query.orientation === "any" ? undefined : query.orientation,
        locale: pexelsLocale(query.query, query.locale),
      }),
      headers: { accept: "application/json", authorization: key },
    }),
    read: (reply, query) => {
      if (!succeeded(reply)) return refusal(reply);
      return withJson(reply, NAME, ({ photos }) =>
        photos === undefined
          ? missingList(reply, NAME)
          : resultsOf(reply, NAME, photos, licensedImage, { num: query.num }),
      );
    },
  },
};

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 401) return failure(reply, "auth", "Pexels refuses the key: check PEXELS_API_KEY");
  // A wrong key is a 401: with 403 Pexels turns away clients that it does not like, above all those without a name.
  if (reply.status === 403) return failure(reply, "blocked", "Pexels refuses our User-Agent or network");
  return reply.status === 429 ? limited(reply) : failureByStatus(reply, NAME);
}

function limited(reply: UpstreamReply): Failed {
  const [remaining] = numbersOfHeader(reply, "x-ratelimit-remaining");
  const [reset] = numbersOfHeader(reply, "x-ratelimit-reset");
  const untilReset = reset === undefined ? undefined : waitUntilUnix(reset, reply);
  if (remaining === 0 && untilReset !== undefined && untilReset > HOUR_MS) {
    return failure(reply, "quota", "The month's requests at Pexels are used up", { retryAfterMs: untilReset });
  }
  const wait = retryAfterMs(reply) ?? untilReset;
  return failure(
    reply,
    "rate",
    "The hour's requests at Pexels are used up",
    wait === undefined ? {} : { retryAfterMs: wait },
  );
}

function licensedImage(item: JsonObject): LicensedImage | undefined {
  const assetId = textOf(item.id);
  const files = objectOf(item.src);
  const downloadUrl = firstUrl(files?.original, files?.large2x, files?.large);
  const width = pixelsOf(item.width);
  const height = pixelsOf(item.height);
  if (assetId === "" || downloadUrl === "" || width === undefined || height === undefined) return undefined;
  return {
    provider: "pexels",
    assetId,
    title: textOf(item.alt) || "Pexels photo",
    author: textOf(item.photographer),
    sourcePageUrl: httpUrl(item.url),
    downloadUrl,
    previewUrl: firstUrl(files?.large, files?.medium),
    width,
    height,
    license: { name: "Pexels License", url: "https://www.pexels.com/license/" },
  };
}
