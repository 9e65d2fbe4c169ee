import type { Candidate } from "./candidate.ts";
import { type Identity, type IdentityEvidence, identityOf, readRequiredTerms, type RequiredTerm } from "./identity.ts";
import { authorGate } from "./license.ts";
import { isAboutTransit, metadataOf, type ReadQuery, readQuery, relevanceOf } from "./relevance.ts";
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
const ORIENTATION_FITS = 1_000;
const ORIENTATION_DIFFERS = -250;
const SHORT_SIDE = -500;
const NO_ATTRIBUTION = 250;
const PIXELS_PER_POINT = 1_000;
const PIXEL_POINTS = 1_500;
/** More than anything else together, so that a verified picture stands before every near match. */
const VERIFIED = 20_000;
const NEAR_MATCH = -5_000;
const NEAR_MATCH_RELEVANCE = 0.5;

type RankingRequest = Pick<
  ImageRequest,
  "requiredTerms" | "orientation" | "minWidth" | "minHeight" | "strictNoAttribution"
>;

/** What is the same for all candidates of one query. */
interface Reading {
  readonly query: ReadQuery;
  readonly terms: readonly RequiredTerm[];
}

interface Assessment {
  readonly gate: RejectionReason | undefined;
  readonly identity: Identity;
  readonly relevance: number;
  readonly hasTerms: boolean;
  /** Everything but what identity gives. */
  readonly points: number;
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
    const assessment = assess(candidate, request, { query, terms });
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
  return strictScore(assess(candidate, request, readingOf(candidate, request)));
}

/** As for the review sheet: one required term may be missing where the query fits well. */
export function scoreForReview(candidate: Candidate, request: RankingRequest): Score {
  return reviewScore(assess(candidate, request, readingOf(candidate, request)));
}

function strictScore({ gate, identity, relevance, hasTerms, points }: Assessment): Score {
  if (gate !== undefined) return { value: null, reason: gate };
  if (identity.missing.length > 0) return { value: null, reason: "identity-missing" };
  if (relevance === 0 && !hasTerms) return { value: null, reason: "irrelevant" };
  return { value: points + IN_TITLE * identity.inTitle };
}

function reviewScore(assessment: Assessment): Score {
  const strict = strictScore(assessment);
  if (strict.value !== null) return { value: strict.value + VERIFIED };
  if (strict.reason !== "identity-missing" || assessment.identity.missing.length > 1) return strict;
  if (assessment.relevance < NEAR_MATCH_RELEVANCE) return { value: null, reason: "near-match-too-weak" };
  return { value: assessment.points + NEAR_MATCH };
}

function assess(candidate: Candidate, request: RankingRequest, { query, terms }: Reading): Assessment {
  const metadata = metadataOf(candidate);
  const relevance = relevanceOf(metadata, query.tokens);
  const size = fetchableSize(candidate);
  const transit = !query.asksForTransit && isAboutTransit(metadata) ? TRANSIT : 0;
  const points =
    RELEVANCE * relevance +
    transit +
    orientationPoints(size, request.orientation) +
    SHORT_SIDE * shortSides(size, request) +
    (candidate.license.tier === "no-attribution" ? NO_ATTRIBUTION : 0) +
    Math.min((size.width * size.height) / PIXELS_PER_POINT, PIXEL_POINTS);
  const identity = identityOf(candidate, terms);
  return { gate: gateOf(candidate, request), identity, relevance, hasTerms: terms.length > 0, points };
}

function readingOf(candidate: Candidate, request: RankingRequest): Reading {
  return { query: readQuery(candidate.discoveryQuery), terms: readRequiredTerms(request.requiredTerms) };
}

function gateOf(candidate: Candidate, request: RankingRequest): RejectionReason | undefined {
  if (request.strictNoAttribution && candidate.license.tier !== "no-attribution") return "attribution-not-allowed";
  return authorGate(candidate.license, candidate.author) === undefined ? undefined : "author-missing";
}

function orientationPoints(size: Size, wanted: ImageRequest["orientation"]): number {
  if (wanted === "any") return 0;
  return isKnown(size) && shapeOf(size) === wanted ? ORIENTATION_FITS : ORIENTATION_DIFFERS;
}

function shapeOf({ width, height }: Size): ImageRequest["orientation"] {
  if (width === height) return "square";
  return width > height ? "landscape" : "portrait";
}
