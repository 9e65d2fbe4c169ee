import type { Candidate } from "./candidate.ts";
import { type Assessment, assess, type RankingRequest, shapeOf } from "./ranking.ts";
import { isKnown, type Size } from "./size-floors.ts";

/** Short plain reasons for a candidate's place on a review page, the weightiest first. Told of what made its score. */
export function rankReasons(candidate: Candidate, request: RankingRequest): string[] {
  const assessment = assess(candidate, request);
  return [
    ...identityReasons(assessment),
    ...relevanceReasons(assessment),
    ...transitReasons(assessment),
    ...orientationReasons(assessment, request.orientation),
    ...sizeReasons(assessment, candidate),
    licenseReason(candidate),
  ];
}

function identityReasons({ identity, terms }: Assessment): string[] {
  const { missing, inTitle } = identity;
  const elsewhere = terms.filter((term) => !missing.includes(term) && !inTitle.includes(term));
  return [
    ...missing.map((term) => `Near match: nothing says that it shows ${named(term)}`),
    ...(inTitle.length > 0 ? [`Title names ${inTitle.map(named).join(", ")}`] : []),
    ...(elsewhere.length > 0 ? [`Only its author or address names ${elsewhere.map(named).join(", ")}`] : []),
  ];
}

function relevanceReasons({ relevance: { share, found, asked } }: Assessment): string[] {
  if (asked === 0) return [];
  if (share === 1) return [asked === 1 ? `Matches “${found[0]}”` : `Matches all ${asked} words of the query`];
  if (found.length === 0) return ["Matches no word of the query"];
  // Scripts without word boundaries can match in part.
  const words = found.map((word) => `“${word}”`).join(", ");
  return [
    found.length === asked
      ? `Matches the query in part: ${words}`
      : `Matches ${found.length} of ${asked} words of the query: ${words}`,
  ];
}

function transitReasons({ isTransit }: Assessment): string[] {
  return isTransit ? ["Seems to be about a station or traffic, which the query does not ask for"] : [];
}

function orientationReasons({ orientation, size }: Assessment, wanted: RankingRequest["orientation"]): string[] {
  if (orientation === "fits") return [`${capital(wanted)}, as asked`];
  if (orientation === "differs") return [`${capital(shapeOf(size))}, not ${wanted} as asked`];
  return [];
}

function sizeReasons({ size, shortSides }: Assessment, claimed: Size): string[] {
  if (!isKnown(size)) return ["Its size is not known"];
  const smaller = isKnown(claimed) && size.width * size.height < claimed.width * claimed.height;
  const pixels = smaller ? `${inPixels(size)} of its ${inPixels(claimed)} can be had` : inPixels(size);
  if (shortSides === 0) return [`Large enough: ${pixels}`];
  return [`Smaller than asked on ${shortSides === 1 ? "one side" : "both sides"}: ${pixels}`];
}

function licenseReason({ license }: Candidate): string {
  return license.tier === "no-attribution"
    ? `No credit needed (${license.name})`
    : `Needs a visible credit (${license.name})`;
}

/** `Jiefangbei|解放碑` → `Jiefangbei or 解放碑`. */
function named(term: string): string {
  return term
    .split("|")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .join(" or ");
}

function inPixels({ width, height }: Size): string {
  return `${width} × ${height}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
