import { z } from "zod";
import { licensedRows } from "../cache/rows.ts";
import { authorGate, classifyLicense, type License } from "../images/license.ts";
import type { LicensedImage, LicensedImageQuery, SearchQuery } from "../providers/types.ts";

/** A picture with the license that clears it. */
export interface ClearedImage extends Omit<LicensedImage, "license"> {
  readonly license: License;
}

/** What kept ones must be. */
export const clearedRows: z.ZodType<ClearedImage> = licensedRows.extend({
  license: z.object({
    tier: z.enum(["no-attribution", "attribution-required"]),
    name: z.string(),
    url: z.string(),
    spdx: z.string().exactOptional(),
    evidence: z.object({
      name: z.string(),
      version: z.string().exactOptional(),
      url: z.string(),
      readAt: z.string().exactOptional(),
    }),
  }),
});

/** What a plain image search asks of a provider of licensed pictures. */
export function licensedQuery(query: SearchQuery): LicensedImageQuery {
  const { query: words, page, num, locale } = query;
  return { query: words, page, num, orientation: "any", strictNoAttribution: false, ...(locale ? { locale } : {}) };
}

/** The pictures that a license clears. `readAt` (ISO 8601) becomes part of the evidence. */
export function clearedOnes(images: readonly LicensedImage[], readAt: string): ClearedImage[] {
  return images.flatMap((image) => cleared(image, readAt));
}

function cleared(image: LicensedImage, readAt: string): ClearedImage[] {
  const verdict = classifyLicense(image.license, image.provider, readAt);
  if (verdict.kind !== "cleared" || authorGate(verdict.license, image.author) !== undefined) return [];
  return [{ ...image, license: verdict.license }];
}
