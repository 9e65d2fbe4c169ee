import type { Context } from "hono";
import { commonsFileUrl, commonsPath, WIKIMEDIA, type WikimediaRecord } from "../catalogue/wikimedia.ts";
import type { SimulatorEnv } from "../simulator-env.ts";

/** The widths that are served; mediawiki.org/wiki/Common_thumbnail_sizes. */
const STANDARD_WIDTHS = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840];

const MIME_TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  tif: "image/tiff",
  svg: "image/svg+xml",
  pdf: "application/pdf",
};

const byName = new Map(WIKIMEDIA.map((record) => [record.title, record]));

/** By its name with spaces or underscores. */
export function commonsFile(name: string): WikimediaRecord | undefined {
  return byName.get(name.replaceAll("_", " "));
}

export function mimeOf(title: string): string {
  return MIME_TYPES[extensionOf(title)]!;
}

/** The smallest standard width that is no smaller; undefined above the last. */
export function standardWidth(width: number): number | undefined {
  return STANDARD_WIDTHS.find((standard) => standard >= width);
}

/** What hand-made thumbnail URLs of other widths get: 429 for the one that was common once, else 400. */
export function widthRefusal(c: Context<SimulatorEnv>, width: number): Response | undefined {
  if (STANDARD_WIDTHS.includes(width)) return undefined;
  const text = "Use thumbnail sizes listed on https://w.wiki/GHai\n";
  return width === 1024 ? c.text(text, 429, { "retry-after": "60" }) : c.text(text, 400);
}

/** A thumbnail's address; the original's where that is no wider. */
export function thumbnailOf(record: WikimediaRecord, width: number): string {
  const { title, picture, pageId } = record;
  const extension = extensionOf(title);
  const isPicture = extension === "jpg" || extension === "png" || extension === "webp";
  if (isPicture && width >= picture.width) return commonsFileUrl(title);
  // Both hosts are in use since 2026.
  const host = pageId % 2 === 0 ? "upload.wikimedia.org" : "thumb.wikimedia.org";
  const path = commonsPath(title);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return `https://${host}/wikipedia/commons/thumb/${path}/${thumbnailName(name, extension, width)}`;
}

/** Where `Special:Redirect/file` leads, or its refusal of the width. */
export function redirectTarget(c: Context<SimulatorEnv>, record: WikimediaRecord): string | Response {
  const width = c.req.query("width");
  if (width === undefined) return commonsFileUrl(record.title);
  return widthRefusal(c, Number(width)) ?? thumbnailOf(record, Number(width));
}

export function extensionOf(title: string): string {
  return title.slice(title.lastIndexOf(".") + 1).toLowerCase();
}

function thumbnailName(name: string, extension: string, width: number): string {
  switch (extension) {
    case "tif":
      return `lossy-page1-${width}px-${name}.jpg`;
    case "pdf":
      return `page1-${width}px-${name}.jpg`;
    case "svg":
      return `${width}px-${name}.png`;
    default:
      return `${width}px-${name}`;
  }
}
