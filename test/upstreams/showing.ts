import type { Photograph, Picture } from "./catalogue/picture.ts";
import { type WebImage, WEB_IMAGES } from "./catalogue/web-images.ts";
import { hostedPicture } from "./hosting.ts";

/** What engines that search by image know of one. */
export interface Showing {
  /** Pages with the very picture. */
  readonly same: readonly WebImage[];
  /** Pages with other cuts of the photograph. */
  readonly others: readonly WebImage[];
}

/** What stands in for pictures that nobody here can see: those of the service under test itself. */
const UNSEEN: Photograph = "cat";

/**
 * The pages that show the photograph under an address; undefined where no engine could fetch it. An address that is not
 * in the catalogue counts as a private picture of a photograph that the catalogue has.
 */
export function showing(imageUrl: string): Showing | undefined {
  if (!isFetchable(imageUrl)) return undefined;
  const picture = hostedPicture(imageUrl)?.picture;
  const photograph = picture?.photograph ?? UNSEEN;
  const all = WEB_IMAGES.filter((image) => image.picture.photograph === photograph);
  const same = all.filter((image) => picture !== undefined && isSame(image.picture, picture));
  return { same, others: all.filter((image) => !same.includes(image)) };
}

function isSame(one: Picture, other: Picture): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return one.variant === other.variant && Math.abs(ratio - 1) < 0.01;
}

/** Engines are elsewhere: what only this machine or network can reach does not exist for them. */
function isFetchable(imageUrl: string): boolean {
  if (!URL.canParse(imageUrl)) return false;
  const { protocol, hostname } = new URL(imageUrl);
  const isPrivate = /^(?:localhost|127\.|10\.|192\.168\.|169\.254\.|\[)|\.(?:local|internal|localhost)$/.test(hostname);
  return (protocol === "https:" || protocol === "http:") && hostname.includes(".") && !isPrivate;
}
