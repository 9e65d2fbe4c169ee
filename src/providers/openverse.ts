import type { Failed } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { firstUrl, hostOf, httpUrl, pixelsOf, textOf, type JsonObject } from "./fields.ts";
import { cutToCharacters } from "./query-limits.ts";
import { hasOtherExtension, isRasterExtension } from "./raster.ts";
import { failure, failureByStatus, resultsOf, succeeded, waitOfSeconds, withJson } from "./replies.ts";
import type { LicensedImage, LicensedImageQuery, Orientation, Provider } from "./types.ts";
import { urlWith } from "./urls.ts";
import { COMMONS_PREVIEW_WIDTH } from "./wikimedia.ts";

const NAME = "Openverse";
const QUERY_LENGTH = 200;
/** A larger page is answered with 401 to a client without an account. */
const PAGE = 20;
/** A query shows no work past this place, whatever the account. */
const DEPTH = 240;

const ASPECT_RATIO: Readonly<Record<Orientation, string | undefined>> = {
  any: undefined,
  landscape: "wide",
  portrait: "tall",
  square: "square",
};

/** Wire: api.openverse.org/v1/images/, as an anonymous client. */
export const openverse: Provider = {
  id: "openverse",
  name: NAME,
  homepage: "https://openverse.org/",
  credentialSets: [{}],
  limits: { queryLength: QUERY_LENGTH, pageSize: PAGE, rate: "20 a minute and 200 a day, 240 works deep" },
  cache: { fresh: 3_600, staleIfError: 604_800 },
  slots: 2,
  licensedImages: {
    timeLimitMs: 10_000,
    request: (query) => ({
      url: urlWith("https://api.openverse.org/v1/images/", {
        q: cutToCharacters(query.query, QUERY_LENGTH),
        // Beyond the depth there is nothing: the clamped call is made, and `read` answers `empty`.
        page: Math.min(query.page, lastPage(query)),
        page_size: pageSize(query),
        license: query.strictNoAttribution ? "cc0,pdm" : "by,by-sa,cc0,pdm",
        aspect_ratio: ASPECT_RATIO[query.orientation],
      }),
      headers: { accept: "application/json" },
    }),
    read: (reply, query) => {
      if (!succeeded(reply)) return refusal(reply);
      return withJson(reply, NAME, (json) => {
        const outcome = resultsOf(reply, NAME, json.results, licensedImage, { num: query.num });
        return outcome.kind === "hit" && query.page > lastPage(query) ? { kind: "empty" } : outcome;
      });
    },
  },
};

function pageSize(query: LicensedImageQuery): number {
  return Math.min(query.num, PAGE);
}

function lastPage(query: LicensedImageQuery): number {
  return Math.floor(DEPTH / pageSize(query));
}

function refusal(reply: UpstreamReply): Failed {
  const { status, body } = reply;
  if (status === 401 && /page[ _]size/i.test(body)) {
    return failure(reply, "bad-request", "Openverse gives anonymous clients 20 works a page at most");
  }
  if (status === 403 && /^\s*</.test(body)) {
    return failure(reply, "blocked", "Openverse blocks the network that this service runs in");
  }
  if (status === 429) {
    const seconds = /available in (\d+(?:\.\d+)?) second/i.exec(body)?.[1];
    const facts = seconds === undefined ? {} : { retryAfterMs: waitOfSeconds(Number(seconds)) };
    return failure(reply, "rate", "The anonymous allowance of Openverse is used up for now", facts);
  }
  return failureByStatus(reply, NAME);
}

function licensedImage(item: JsonObject): LicensedImage | undefined {
  const assetId = textOf(item.id);
  const downloadUrl = firstUrl(item.url, item.thumbnail);
  const width = pixelsOf(item.width);
  const height = pixelsOf(item.height);
  if (assetId === "" || downloadUrl === "" || width === undefined || height === undefined) return undefined;
  const catalogs = new Set([item.source, item.provider].map((each) => textOf(each).toLowerCase()));
  // What rawpixel gives away through Openverse are previews with a watermark.
  if (catalogs.has("rawpixel") || !isPicture(textOf(item.filetype), downloadUrl)) return undefined;
  const version = textOf(item.license_version);
  return {
    provider: "openverse",
    assetId,
    title: textOf(item.title) || "Untitled",
    author: textOf(item.creator),
    sourcePageUrl: firstUrl(item.foreign_landing_url, item.detail_url),
    downloadUrl,
    previewUrl: (catalogs.has("wikimedia") ? commonsPreview(downloadUrl) : "") || httpUrl(item.thumbnail),
    width,
    height,
    license: {
      name: textOf(item.license),
      ...(version === "" ? {} : { version }),
      url: httpUrl(item.license_url),
    },
  };
}

function isPicture(filetype: string, url: string): boolean {
  return filetype === "" ? !hasOtherExtension(url) : isRasterExtension(filetype) && !hasOtherExtension(url);
}

/** A rendition from Commons itself: Openverse's own thumbnails of its files often fail. Empty for other addresses. */
function commonsPreview(url: string): string {
  if (hostOf(url) !== "upload.wikimedia.org") return "";
  const parts = new URL(url).pathname.split("/");
  const encoded = parts.includes("thumb") ? parts.at(-2) : parts.at(-1);
  const name = decoded(encoded ?? "");
  if (name === "") return "";
  const path = encodeURIComponent(name).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `https://commons.wikimedia.org/wiki/Special:Redirect/file/${path}?width=${COMMONS_PREVIEW_WIDTH}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part).toWellFormed();
  } catch {
    return "";
  }
}
