import type { RankedCandidate, RankingMode } from "./ranking.ts";
import type { ImageRequest } from "./request.ts";
import { fetchableSize, isKnown, meetsFloors, MIN_AREA, sizeFloors } from "./size-floors.ts";
import { decodedUrl, fold } from "./text.ts";

/** Keeps the best-placed of each picture, whichever providers offer it. */
export function dedupe(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  const seen = new Set<string>();
  return ranked.filter(({ candidate }) => {
    const key = pictureKey(candidate);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Leaves out what is known to be too small once it is fetched; an unknown size is given a chance. For review a picture
 * must also have a preview to look at.
 */
export function eligible(
  ranked: readonly RankedCandidate[],
  request: ImageRequest,
  mode: RankingMode = "strict",
): RankedCandidate[] {
  return ranked.filter(({ candidate }) => {
    if (mode === "review" && candidate.previewUrl === "") return false;
    const size = fetchableSize(candidate);
    return !isKnown(size) || meetsFloors(size, request, MIN_AREA);
  });
}

/** Two requests have the same pool exactly when this is the same. Slide, purpose and filename do not matter. */
export function poolFingerprint(request: ImageRequest): string {
  return JSON.stringify([
    request.query,
    request.queryVariants,
    request.requiredTerms,
    request.orientation,
    sizeFloors(request).map(({ width, height }) => [width, height]),
    request.provider ?? null,
    request.strictNoAttribution,
  ]);
}

/** What a caller can change when every provider has answered and nothing qualifies. */
export function whatToTry(request: ImageRequest): string[] {
  const suggestions = [
    "Make the query more precise, or add a variant with another name, spelling or language of the same subject.",
  ];
  if (request.provider !== undefined)
    suggestions.push(`Ask another provider than ${request.provider}, or leave \`provider\` out.`);
  if (request.strictNoAttribution) {
    suggestions.push("Leave `strict_no_attribution` out, if the page may carry a visible credit.");
  }
  if (request.minWidth !== undefined || request.minHeight !== undefined) {
    suggestions.push("Lower `min_width` and `min_height`, if the page can use a smaller picture.");
  }
  suggestions.push("Put a picture of your own in place by its URL.");
  return suggestions;
}

/** The same file by another query string or scheme is the same picture. */
function pictureKey({ provider, assetId, downloadUrl, sourcePageUrl }: RankedCandidate["candidate"]): string {
  const address = downloadUrl
    .replace(/^https?:/i, "")
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "");
  return address === "" ? `${provider}:${assetId}|${sourcePageUrl}` : fold(decodedUrl(address));
}
