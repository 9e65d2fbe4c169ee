import { digest } from "../cache/cache-key.ts";

/** An image where search engines can fetch it. */
export interface HostedImage {
  readonly url: string;
  /** Takes it down; never throws. */
  remove(): Promise<void>;
}

/** An image to search by. */
export interface SearchedImage {
  /** Equal for equal images: the address, or a digest of the bytes. */
  identity(): Promise<string>;
  /** Where search engines can fetch it. Only asked when a search is made; throws what hosting throws. */
  url(): Promise<string>;
}

/** One that is on the web already. */
export function imageAt(url: string): SearchedImage {
  return { identity: () => Promise.resolve(url), url: () => Promise.resolve(url) };
}

/**
 * One that came as a data URL. `host` puts it up for the first search that asks for it; `remove` takes it down, if it was
 * put up.
 */
export function imageIn(
  dataUrl: string,
  host: (dataUrl: string) => Promise<HostedImage>,
): SearchedImage & { remove(): Promise<void> } {
  let hosted: Promise<HostedImage> | undefined;
  return {
    identity: async () => `sha256:${await digest(dataUrl.slice(dataUrl.indexOf(",") + 1))}`,
    url: async () => (await (hosted ??= host(dataUrl))).url,
    remove: async () => {
      await hosted?.then(
        (image) => image.remove(),
        () => {},
      );
    },
  };
}
