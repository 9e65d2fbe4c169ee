import type { Candidate } from "./candidate.ts";
import { classifyLicense } from "./license.ts";
import type { FoundImage } from "./search.ts";

export interface Clearance {
  readonly candidates: readonly Candidate[];
  /** How many fell out, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
}

/** The license gate over everything that was found. `readAt` (ISO 8601) becomes part of the evidence. */
export function clear(found: readonly FoundImage[], readAt: string): Clearance {
  const candidates: Candidate[] = [];
  const rejected: Record<string, number> = {};
  for (const { image, discoveryQuery } of found) {
    const verdict = classifyLicense(image.license, image.provider, readAt);
    if (verdict.kind === "cleared") candidates.push({ ...image, discoveryQuery, license: verdict.license });
    else rejected[verdict.reason] = (rejected[verdict.reason] ?? 0) + 1;
  }
  return { candidates, rejected };
}
