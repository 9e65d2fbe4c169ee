import type { Candidate } from "./candidate.ts";
import { type Identity, type IdentityEvidence, identityOf, readRequiredTerms, type RequiredTerm } from "./identity.ts";
import { authorGate } from "./license.ts";
import { isAboutTransit, metadataOf, type ReadQuery, readQuery, type Relevance, relevanceOf } from "./relevance.ts";
import type { ImageRequest } from "./request.ts";
import { fetchableSize, isKnown, type Size, shortSides } from "./size-floors.ts";

/** `strict` trusts metadata alone; `review` adds near matches, for eyes to judge. */
export type RankingMode = "strict" | "review";

export type RejectionReason =
  | "attribution-not-allowed"
  | "author-missing"
  | "identity-missing"
  | "near-match-too-weak"
  | "irrelevant";

export type Score =
  | { readonly value: number; readonly reason?: undefined }
  | { readonly value: null; readonly reason: RejectionReason };

export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly score: number;
  readonly identityEvidence: IdentityEvidence;
  /** Raw groups, as the request wrote them. */
  readonly missingRequiredTerms: readonly string[];
}

export interface RejectedCandidate {
  readonly candidate: Candidate;
  readonly reason: RejectionReason;
}

export interface Ranking {
  /** Best first; equals in the order in which they were found. */
  readonly ranked: readonly RankedCandidate[];
  readonly rejected: readonly RejectedCandidate[];
}

/** Relevance outweighs everything but a wrong kind of place; pixels only break ties. */
const RELEVANCE = 10_000;
const IN_TITLE = 1_500;
const TRANSIT = -5_000;
const ORIENTATION: Readonly<Record<OrientationFit, number>> = { any: 0, fits: 1_000, differs: -250, unknown: -250 };
const SHORT_SIDE = -500;
const NO_ATTRIBUTION = 250;
const PIXELS_PER_POINT = 1_000;
const PIXEL_POINTS = 1_500;
/** More than anything else together, so that a verified picture stands before every near match. */
const VERIFIED = 20_000;
const NEAR_MATCH = -5_000;
const NEAR_MATCH_RELEVANCE = 0.5;

export type RankingRequest = Pick<
  ImageRequest,
  "requiredTerms" | "orientation" | "minWidth" | "minHeight" | "strictNoAttribution"
>;

/** What is the same for all candidates of one query. */
interface Reading {
  readonly query: ReadQuery;
  readonly terms: readonly RequiredTerm[];
}

/** How a picture's shape stands to the one that is asked for. */
export type OrientationFit = "any" | "fits" | "differs" | "unknown";

/** Everything that decides a candidate's place, each decision once: the score and its reasons are both made of it. */
export interface Assessment {
  readonly gate: RejectionReason | undefined;
  readonly identity: Identity;
  /** Raw groups; empty where the request names none. */
  readonly terms: readonly string[];
  readonly relevance: Relevance;
  /** About traffic, in a query that does not ask for it. */
  readonly isTransit: boolean;
  /** What a download will bring. */
  readonly size: Size;
  readonly orientation: OrientationFit;
  /** Sides under the size that is asked for: 0, 1 or 2. */
  readonly shortSides: number;
  readonly tier: Candidate["license"]["tier"];
}

/** Orders candidates for a request and says why the others fell out. n log n. */
export function rankCandidates(candidates: readonly Candidate[], request: RankingRequest, mode: RankingMode): Ranking {
  const terms = readRequiredTerms(request.requiredTerms);
  const queries = new Map<string, ReadQuery>();
  const ranked: RankedCandidate[] = [];
  const rejected: RejectedCandidate[] = [];
  for (const candidate of candidates) {
    const query = queries.get(candidate.discoveryQuery) ?? readQuery(candidate.discoveryQuery);
    queries.set(candidate.discoveryQuery, query);
    const assessment = assessWith(candidate, request, { query, terms });
    const score = mode === "review" ? reviewScore(assessment) : strictScore(assessment);
    if (score.value === null) {
      rejected.push({ candidate, reason: score.reason });
    } else {
      const { evidence, missing } = assessment.identity;
      ranked.push({ candidate, score: score.value, identityEvidence: evidence, missingRequiredTerms: missing });
    }
  }
  return { ranked: ranked.toSorted((one, other) => other.score - one.score), rejected };
}

/** As for a picture that nobody will look at: every required term must be named. */
export function scoreCandidate(candidate: Candidate, request: RankingRequest): Score {
  return strictScore(assess(candidate, request));
}

/** As for the review sheet: one required term may be missing where the query fits well. */
export function scoreForReview(candidate: Candidate, request: RankingRequest): Score {
  return reviewScore(assess(candidate, request));
}

/** What is decided of one candidate on its own. */
export function assess(candidate: Candidate, request: RankingRequest): Assessment {
  const reading = { query: readQuery(candidate.discoveryQuery), terms: readRequiredTerms(request.requiredTerms) };
  return assessWith(candidate, request, reading);
}

function strictScore(assessment: Assessment): Score {
  const { gate, identity, relevance, terms } = assessment;
  if (gate !== undefined) return { value: null, reason: gate };
  if (identity.missing.length > 0) return { value: null, reason: "identity-missing" };
  if (relevance.share === 0 && terms.length === 0) return { value: null, reason: "irrelevant" };
  return { value: pointsOf(assessment) + IN_TITLE * identity.inTitle.length };
}

function reviewScore(assessment: Assessment): Score {
  const strict = strictScore(assessment);
  if (strict.value !== null) return { value: strict.value + VERIFIED };
  if (strict.reason !== "identity-missing" || assessment.identity.missing.length > 1) return strict;
  if (assessment.relevance.share < NEAR_MATCH_RELEVANCE) return { value: null, reason: "near-match-too-weak" };
  return { value: pointsOf(assessment) + NEAR_MATCH };
}

/** Everything but what identity gives. */
function pointsOf({ relevance, isTransit, size, orientation, shortSides: short, tier }: Assessment): number {
  return (
    RELEVANCE * relevance.share +
    (isTransit ? TRANSIT : 0) +
    ORIENTATION[orientation] +
    SHORT_SIDE * short +
    (tier === "no-attribution" ? NO_ATTRIBUTION : 0) +
    Math.min((size.width * size.height) / PIXELS_PER_POINT, PIXEL_POINTS)
  );
}

function assessWith(candidate: Candidate, request: RankingRequest, { query, terms }: Reading): Assessment {
  const metadata = metadataOf(candidate);
  const size = fetchableSize(candidate);
  return {
    gate: gateOf(candidate, request),
    identity: identityOf(candidate, terms),
    terms: terms.map(({ raw }) => raw),
    relevance: relevanceOf(metadata, query.tokens),
    isTransit: !query.asksForTransit && isAboutTransit(metadata),
    size,
    orientation: orientationFit(size, request.orientation),
    shortSides: shortSides(size, request),
    tier: candidate.license.tier,
  };
}

function gateOf(candidate: Candidate, request: RankingRequest): RejectionReason | undefined {
  if (request.strictNoAttribution && candidate.license.tier !== "no-attribution") return "attribution-not-allowed";
  return authorGate(candidate.license, candidate.author) === undefined ? undefined : "author-missing";
}

function orientationFit(size: Size, wanted: ImageRequest["orientation"]): OrientationFit {
  if (wanted === "any") return "any";
  if (!isKnown(size)) return "unknown";
  return shapeOf(size) === wanted ? "fits" : "differs";
}

/** Of a size that is known. */
export function shapeOf({ width, height }: Size): ImageRequest["orientation"] {
  if (width === height) return "square";
  return width > height ? "landscape" : "portrait";
}
