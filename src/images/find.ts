import type { Attempt } from "../cascade/attempt.ts";
import { wasWanted } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { clear } from "./clearance.ts";
import { dedupe, eligible, whatToTry } from "./pool.ts";
import { type RankedCandidate, type RejectedCandidate, type RankingMode, rankCandidates } from "./ranking.ts";
import type { ImageRequest } from "./request.ts";
import { type FoundImage, searchLicensedImages } from "./search.ts";

export interface Find {
  /** Best first; at least one. */
  readonly ranked: readonly RankedCandidate[];
  readonly attempts: readonly Attempt[];
}

const CALLS = 24;
/** Enough for a choice: best-only takes the first that loads, a reviewer looks at pages of eight. */
const ENOUGH_STRONG: Readonly<Record<RankingMode, number>> = { strict: 16, review: 32 };

/**
 * Searches, clears, ranks and keeps what can be fetched. `no-match` when every provider answered and nothing qualifies,
 * `providers-failed` when one of them did not, so that the same request may work later.
 */
export async function findCandidates(request: ImageRequest, mode: RankingMode, context: JobContext): Promise<Find> {
  const readAt = new Date(context.clock.now()).toISOString();
  const qualify = (found: readonly FoundImage[]) => {
    const clearance = clear(found, readAt);
    const ranking = rankCandidates(clearance.candidates, request, mode);
    return { clearance, ranking, ranked: eligible(dedupe(ranking.ranked), request, mode) };
  };
  const limits = {
    calls: CALLS,
    enoughStrong: ENOUGH_STRONG[mode],
    // A near match is nothing to stop for: the next variant may name the right subject.
    strong: (found: readonly FoundImage[]) =>
      qualify(found).ranked.filter(({ identityEvidence }) => identityEvidence === "metadata-verified").length,
  };
  const run = await searchLicensedImages(request, limits, context);
  const { clearance, ranking, ranked } = qualify(run.hits.flatMap((hit) => hit.results));
  if (ranked.length > 0) return { ranked, attempts: run.attempts };
  throw nothing(request, run.attempts, { ...clearance.rejected, ...countReasons(ranking.rejected) });
}

function nothing(
  request: ImageRequest,
  attempts: readonly Attempt[],
  rejected: Readonly<Record<string, number>>,
): SluiceError {
  const called = attempts.filter(wasWanted);
  const broken = called.filter((attempt) => attempt.class !== undefined);
  if (called.length === 0) {
    const detail = "No image provider can be called: see `attempts` for the reason of each.";
    return new SluiceError("no-provider", detail, { context: { attempts } });
  }
  if (broken.length > 0) {
    const reasons = broken.map((attempt) => `${attempt.provider}: ${attempt.class}`).join(", ");
    const detail = `No image qualifies, and not every provider answered (${reasons}).`;
    return new SluiceError("providers-failed", detail, { context: { attempts, rejected } });
  }
  return new SluiceError("no-match", "Every provider answered, and no image qualifies.", {
    context: { attempts, rejected, try: whatToTry(request) },
  });
}

function countReasons(rejected: readonly RejectedCandidate[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of rejected) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
