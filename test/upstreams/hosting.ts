import { OPENVERSE } from "./catalogue/openverse.ts";
import { PEXELS } from "./catalogue/pexels.ts";
import type { Picture, Trouble } from "./catalogue/picture.ts";
import { PIXABAY } from "./catalogue/pixabay.ts";
import { WEB_IMAGES } from "./catalogue/web-images.ts";

/** What lies under a URL of a plain image host. */
export interface HostedPicture {
  readonly picture: Picture;
  readonly trouble?: Trouble;
}

/** Hosts whose handlers find their files themselves. */
const OWN_HANDLERS = [
  "upload.wikimedia.org",
  "thumb.wikimedia.org",
  "commons.wikimedia.org",
  "pixabay.com",
  "cdn.pixabay.com",
  "api.openverse.org",
  "odd.example",
];

const byUrl = new Map<string, HostedPicture>();
for (const { thumbnailUrl, imageUrl, picture, trouble } of WEB_IMAGES) {
  byUrl.set(imageUrl, { picture, trouble });
  byUrl.set(thumbnailUrl, { picture: { ...picture, ...thumbnailSize(picture) } });
}
for (const record of PEXELS) byUrl.set(record.fileUrl, record);
for (const record of OPENVERSE) {
  // Those of Commons are served by the handler of Commons.
  if (record.source !== "wikimedia") byUrl.set(record.url, record);
}
for (const { id, picture } of PIXABAY) {
  byUrl.set(pixabayPreviewUrl(id), { picture: { ...picture, ...thumbnailSize(picture, 150) } });
}

const hosts = new Set([...OWN_HANDLERS, ...[...byUrl.keys()].map((url) => new URL(url).host)]);

export function isPictureHost(host: string): boolean {
  return hosts.has(host);
}

/** The picture under an absolute URL, by its exact spelling; query and all. */
export function hostedPicture(url: string): HostedPicture | undefined {
  return byUrl.get(url);
}

export function pixabayPreviewUrl(id: number): string {
  return `https://cdn.pixabay.com/photo/2026/01/01/00/00/photo-${id}_150.jpg`;
}

function thumbnailSize({ width, height }: Picture, longerSide = 240): { width: number; height: number } {
  const scale = longerSide / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
