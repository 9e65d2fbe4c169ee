import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { type ProblemCode, SluiceError } from "../errors.ts";
import { acquireImage } from "../images/acquire.ts";
import { showCandidates } from "../images/candidates.ts";
import type { ImageCommit, ImageSink } from "../images/commit.ts";
import { toImageRequest, withRowDefaults } from "../images/row.ts";
import { candidateFile, candidateTotal, hasMoreCandidates, pageRange, type StoredPool } from "../images/stored-pool.ts";
import type { CandidateSummary } from "../webhooks/events.ts";
import type { RowItem, RowReport } from "./rows.ts";
import type { BatchOptions } from "./submission.ts";

/** These may go away by themselves. */
const TRANSIENT: ReadonlySet<ProblemCode> = new Set([
  "providers-failed",
  "originals-failed",
  "previews-failed",
  // Kept when the search began, and removed before its end.
  "manual-image-kept",
]);
/** Every provider answered: the same search will find nothing again. */
const EXHAUSTED: ReadonlySet<ProblemCode> = new Set(["no-match"]);

/** One attempt at one row of a batch. Never throws what the row itself can cause. */
export async function runRow(
  item: RowItem,
  options: Pick<BatchOptions, "save_candidates" | "max_candidates">,
  sink: ImageSink,
  context: JobContext,
): Promise<RowReport> {
  try {
    // Rows are validated when a batch is submitted; defaults are filled in here.
    const { request } = toImageRequest(withRowDefaults(item));
    if (!options.save_candidates) {
      const { commit, attempts } = await acquireImage(request, sink, context);
      return sourcedReport(commit, attempts);
    }
    const shown = await showCandidates(request, item.candidate_page ?? 1, options.max_candidates, sink, context);
    return selectionReport(shown.pool, shown.attempts);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return (await keptImage(error, item, sink)) ?? reportOf(error);
  }
}

/** What a person stored under the row's filename is the picture that the row needs. */
async function keptImage(error: SluiceError, { filename }: RowItem, sink: ImageSink): Promise<RowReport | undefined> {
  if (error.code !== "manual-image-kept") return undefined;
  const kept = await sink.project.image(filename);
  return kept === undefined ? undefined : sourcedReport(kept, []);
}

/** How a row ends whose image is stored. */
export function sourcedReport({ item }: Pick<ImageCommit, "item">, attempts: readonly Attempt[]): RowReport {
  return { status: "Sourced", sourcedFrom: item.provider, licenseTier: item.license_tier, attempts };
}

/** How a row ends that shows the page that its pool is at. */
export function selectionReport(pool: StoredPool, attempts: readonly Attempt[]): RowReport {
  const { first, end } = pageRange(pool.page, pool.pageSize);
  const onPage = pool.shown.slice(first - 1, end);
  return {
    status: "Needs-Selection",
    candidatePage: pool.page,
    candidateCount: onPage.length,
    candidateTotal: candidateTotal(pool),
    nextCandidatePage: hasMoreCandidates(pool) ? pool.page + 1 : null,
    reviewSheet: `candidates/${pool.stem}/review_sheet.jpg`,
    sheetSha256: pool.sheet ?? "",
    candidates: onPage.map(({ index }, offset) => summary(pool, index, first + offset)),
    attempts,
  };
}

function summary(pool: StoredPool, index: number, rank: number): CandidateSummary {
  const { candidate, missingRequiredTerms } = pool.ranked[index]!;
  return {
    rank,
    filename: candidateFile(rank),
    provider: candidate.provider,
    title: candidate.title,
    source_page_url: candidate.sourcePageUrl,
    license_name: candidate.license.name,
    license_tier: candidate.license.tier,
    width: candidate.width,
    height: candidate.height,
    missing_required_terms: missingRequiredTerms,
  };
}

function reportOf(error: SluiceError): RowReport {
  const attempts = (error.context["attempts"] ?? []) as readonly Attempt[];
  const advice = (error.context["try"] ?? []) as readonly string[];
  const message = [error.message, ...advice].join(" ");
  if (error.code === "pool-exhausted") return { status: "unchanged", error: message, attempts };
  const transient = TRANSIENT.has(error.code);
  return { status: EXHAUSTED.has(error.code) ? "Needs-Manual" : "Failed", error: message, transient, attempts };
}
