import { hitOrEmpty } from "../cascade/outcome.ts";
import { authorGate, classifyLicense, type License } from "../images/license.ts";
import type { Capability, LicensedImage, LicensedImageQuery, Provider, SearchQuery } from "../providers/types.ts";

/** A picture with the license that clears it. */
export interface ClearedImage extends Omit<LicensedImage, "license"> {
  readonly license: License;
}

/**
 * A provider's licensed pictures without those that no license clears. `readAt` (ISO 8601) becomes part of the
 * evidence.
 */
export function clearedImages(provider: Provider, readAt: string): Capability<SearchQuery, ClearedImage> | undefined {
  const licensed = provider.licensedImages;
  if (licensed === undefined) return undefined;
  return {
    timeLimitMs: licensed.timeLimitMs,
    request: (query, credentials) => licensed.request(licensedQuery(query), credentials),
    read: (reply, query) => {
      const outcome = licensed.read(reply, licensedQuery(query));
      if (outcome.kind !== "hit") return outcome;
      return hitOrEmpty(outcome.results.flatMap((image) => cleared(image, readAt)));
    },
  };
}

/** What a plain image search asks of a provider of licensed pictures. */
export function licensedQuery(query: SearchQuery): LicensedImageQuery {
  const { query: words, page, num, locale } = query;
  return { query: words, page, num, orientation: "any", strictNoAttribution: false, ...(locale ? { locale } : {}) };
}

function cleared(image: LicensedImage, readAt: string): ClearedImage[] {
  const verdict = classifyLicense(image.license, image.provider, readAt);
  if (verdict.kind !== "cleared" || authorGate(verdict.license, image.author) !== undefined) return [];
  return [{ ...image, license: verdict.license }];
}
