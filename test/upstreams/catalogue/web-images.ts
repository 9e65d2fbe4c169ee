import { createHash } from "node:crypto";
import { OPENVERSE } from "./openverse.ts";
import { PEXELS } from "./pexels.ts";
import type { SiteImage } from "./sites.ts";
import { SITE_IMAGES } from "./sites.ts";
import { commonsFileUrl, commonsPageUrl, WIKIMEDIA } from "./wikimedia.ts";

/** A picture as engines for the whole web list it. */
export interface WebImage extends SiteImage {
  readonly thumbnailUrl: string;
}

const PICTURE_NAME = /\.(?:jpe?g|png|webp)$/i;

/** Plain sites first, then what the engines find at the licensed providers; one entry per address. */
export const WEB_IMAGES: readonly WebImage[] = uniqueByUrl([
  ...SITE_IMAGES,
  ...WIKIMEDIA.filter(({ title }) => PICTURE_NAME.test(title)).map((record) => ({
    ...record,
    title: record.title.replace(PICTURE_NAME, ""),
    imageUrl: commonsFileUrl(record.title),
    pageUrl: commonsPageUrl(record.title),
    source: "Wikimedia Commons",
  })),
  ...PEXELS.map((record) => ({ ...record, imageUrl: record.fileUrl, source: "Pexels" })),
  ...OPENVERSE.filter(({ source }) => source === "flickr").map((record) => ({
    ...record,
    imageUrl: record.url,
    pageUrl: record.landingUrl,
    source: "Flickr",
  })),
]);

function uniqueByUrl(images: readonly SiteImage[]): WebImage[] {
  const byUrl = new Map<string, WebImage>();
  for (const { title, tags, picture, imageUrl, pageUrl, source, trouble } of images) {
    if (byUrl.has(imageUrl)) continue;
    byUrl.set(imageUrl, {
      title,
      tags,
      picture,
      imageUrl,
      pageUrl,
      source,
      thumbnailUrl: `https://encrypted-tbn0.gstatic.com/images?q=tbn:${idOf(imageUrl)}`,
      trouble,
    });
  }
  return [...byUrl.values()];
}

function idOf(url: string): string {
  return createHash("sha1").update(url).digest("hex").slice(0, 24);
}
