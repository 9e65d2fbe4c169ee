import type { UpstreamReply } from "../egress/wire.ts";
import type { Outcome } from "../cascade/outcome.ts";
import {
  arrayOf,
  firstText,
  firstUrl,
  httpUrl,
  numberOf,
  objectOf,
  pixelsOf,
  textOf,
  type JsonObject,
} from "./fields.ts";
import { SEARCH_BYTES, SEARCH_PAGE, searchPart, withQuery } from "./mediawiki.ts";
import { cutToBytes } from "./query-limits.ts";
import { hasRasterExtension, isRasterType } from "./raster.ts";
import { resultsOf } from "./replies.ts";
import type { LicensedImage, LicensedImageQuery, Orientation, Provider } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Wikimedia Commons";
/** Keeps drawings, sound and documents out of the index's answer. */
const ONLY_BITMAPS = " filetype:bitmap";
/** One of the few widths that Commons serves. */
export const COMMONS_PREVIEW_WIDTH = 960;

/** Wire: commons.wikimedia.org/w/api.php, `generator=search` with `prop=imageinfo`, format version 2. */
export const wikimedia: Provider = {
  id: "wikimedia",
  name: NAME,
  homepage: "https://commons.wikimedia.org/",
  credentialSets: [{}],
  limits: {
    queryLength: SEARCH_BYTES,
    pageSize: SEARCH_PAGE,
    rate: "three requests at once, with a contact in the User-Agent",
  },
  cache: { fresh: 3_600, staleIfError: 604_800 },
  slots: 3,
  licensedImages: {
    timeLimitMs: 10_000,
    request: (query) => {
      const { limit, offset } = searchPart(query.page, query.num);
      return {
        url: urlWith("https://commons.wikimedia.org/w/api.php", {
          action: "query",
          format: "json",
          formatversion: 2,
          generator: "search",
          gsrnamespace: 6,
          gsrsearch: cutToBytes(query.query, SEARCH_BYTES - ONLY_BITMAPS.length) + ONLY_BITMAPS,
          gsrlimit: limit,
          gsroffset: offset,
          prop: "imageinfo",
          iiprop: "url|size|extmetadata|mime|user",
          iiurlwidth: COMMONS_PREVIEW_WIDTH,
          iiextmetadatafilter: "LicenseShortName|License|LicenseUrl|Artist|Credit|Attribution",
        }),
        headers: { accept: "application/json" },
      };
    },
    read: (reply, query) => withQuery(reply, NAME, ({ pages }) => read(reply, query, pages)),
  },
};

function read(reply: UpstreamReply, query: LicensedImageQuery, pages: unknown): Outcome<LicensedImage> {
  const outcome = resultsOf(reply, NAME, inSearchOrder(pages), licensedImage, { num: SEARCH_PAGE });
  if (outcome.kind !== "hit") return outcome;
  if (searchPart(query.page, query.num).beyond) return { kind: "empty" };
  return { kind: "hit", results: fitting(outcome.results, query.orientation).slice(0, query.num) };
}

/** Format version 1 keys the pages by id, version 2 lists them; neither puts the best first. */
function inSearchOrder(pages: unknown): unknown {
  const keyed = objectOf(pages);
  if (keyed === undefined && !Array.isArray(pages)) return pages;
  const list = keyed === undefined ? arrayOf(pages) : Object.values(keyed);
  return list.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function placeOf(page: unknown): number {
  return numberOf(objectOf(page)?.index) ?? Number.MAX_SAFE_INTEGER;
}

/** Commons cannot search by orientation. Where nothing fits, another shape is better than nothing. */
function fitting(images: readonly LicensedImage[], orientation: Orientation): readonly LicensedImage[] {
  const matching = images.filter(({ width, height }) => {
    if (orientation === "any") return true;
    if (width === 0 || height === 0) return false;
    if (orientation === "square") return width === height;
    return orientation === "landscape" ? width > height : height > width;
  });
  return matching.length > 0 ? matching : images;
}

function licensedImage(page: JsonObject): LicensedImage | undefined {
  const info = objectOf(arrayOf(page.imageinfo)[0]);
  const assetId = textOf(page.pageid);
  const title = textOf(page.title).replace(/^[^:]*:/, "");
  const downloadUrl = httpUrl(info?.url);
  const width = pixelsOf(info?.width);
  const height = pixelsOf(info?.height);
  if (info === undefined || assetId === "" || downloadUrl === "" || width === undefined || height === undefined) {
    return undefined;
  }
  const mime = textOf(info.mime);
  if (!hasRasterExtension(title) || (mime !== "" && !isRasterType(mime))) return undefined;
  const metadata = objectOf(info.extmetadata) ?? {};
  const value = (field: string): unknown => objectOf(metadata[field])?.value;
  return {
    provider: "wikimedia",
    assetId,
    title,
    author: authorOf(value, info.user),
    sourcePageUrl: httpUrl(info.descriptionurl),
    downloadUrl,
    previewUrl: httpUrl(info.thumburl),
    width,
    height,
    license: { name: firstText(value("LicenseShortName"), value("License")), url: firstUrl(value("LicenseUrl")) },
  };
}

/**
 * `Artist` names who made the picture. `Attribution` is a whole credit line, often with the license in it, and would
 * stand doubled in ours: it serves where there is no artist. `Credit` says where the file comes from, and "own work"
 * there means the uploader.
 */
function authorOf(value: (field: string) => unknown, uploader: unknown): string {
  const credit = textOf(value("Credit"));
  const ownWork = /^own work\b/i.test(credit);
  return firstText(value("Artist"), value("Attribution"), ownWork ? "" : credit, uploader);
}
