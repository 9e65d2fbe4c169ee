import type { Candidate } from "./candidate.ts";
import { classifyLicense } from "./license.ts";
import type { ImageRequest } from "./request.ts";
import type { FoundImage } from "./search.ts";

export interface Clearance {
  readonly candidates: readonly Candidate[];
  /** How many fell out, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** The license gate over everything that was found. What providers promised about strictness is not believed. */
export function clear(found: readonly FoundImage[], request: ImageRequest): Clearance {
  const candidates: Candidate[] = [];
  const rejected: Record<string, number> = {};
  for (const { image, discoveryQuery } of found) {
    const verdict = classifyLicense(image.license, image.provider);
    const reason =
      verdict.kind === "rejected"
        ? verdict.reason
        : request.strictNoAttribution && verdict.license.tier !== "no-attribution"
          ? "attribution-required, and no-attribution was asked for"
          : undefined;
    if (verdict.kind === "cleared" && reason === undefined) {
      candidates.push({ ...image, discoveryQuery, license: verdict.license });
    } else if (reason !== undefined) {
      rejected[reason] = (rejected[reason] ?? 0) + 1;
    }
  }
  return { candidates, rejected };
}
