/** What can become of a row of `image_queries.json`, and by what. Pure. */
import type { Attempt } from "../cascade/attempt.ts";
import type { CandidateSummary } from "../webhooks/events.ts";

export const ROW_STATUSES = ["Pending", "Sourced", "Failed", "Needs-Selection", "Needs-Manual"] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** One item of `image_queries.json`: the spec's fields and whatever else its author put there. */
export interface RowItem {
  readonly filename: string;
  readonly query: string;
  readonly status: RowStatus;
  readonly candidate_page?: number;
  /** As JSON has it: strings, numbers, lists and so on. */
  readonly [field: string]: unknown;
}

/** How one attempt at a row ended. */
export type RowReport =
  | {
      readonly status: "Sourced";
      /** Who gave the image that is there; the row's own pin stays as it is. */
      readonly sourcedFrom: string;
      readonly licenseTier: string;
      readonly attempts: readonly Attempt[];
    }
  | {
      readonly status: "Needs-Selection";
      readonly candidatePage: number;
      readonly candidateCount: number;
      readonly candidateTotal: number;
      readonly nextCandidatePage: number | null;
      /** Relative to the project's images, as the spec has it. */
      readonly reviewSheet: string;
      /** The sheet's object. */
      readonly sheetSha256: string;
      readonly candidates: readonly CandidateSummary[];
      readonly attempts: readonly Attempt[];
    }
  | {
      readonly status: "Failed" | "Needs-Manual";
      readonly error: string;
      /** Worth another try within the run. */
      readonly transient: boolean;
      readonly attempts: readonly Attempt[];
    }
  | {
      /** Nothing changes but the message: a page past the end leaves the shortlist that is there. */
      readonly status: "unchanged";
      readonly error: string;
      readonly attempts: readonly Attempt[];
    };

export const MAX_ERROR_LENGTH = 500;

/** What an attempt or a selection adds to an item; a new end takes the old one's away. */
const OUTPUTS = [
  "sourced_from",
  "license_tier",
  "last_error",
  "candidate_count",
  "candidate_total",
  "has_more_candidates",
  "next_candidate_page",
  "review_sheet",
] as const;

/** The item after a report. Fields that are not outputs, the pinned `provider` among them, are never touched. */
export function withReport(item: RowItem, report: RowReport): RowItem {
  switch (report.status) {
    case "unchanged":
      return {
        ...item,
        // Where no earlier page left a shortlist, there is nothing to select.
        status: hasShortlist(item) ? "Needs-Selection" : "Needs-Manual",
        last_error: shortened(report.error),
      };
    case "Sourced":
      return {
        ...withoutOutputs(item),
        status: "Sourced",
        sourced_from: report.sourcedFrom,
        license_tier: report.licenseTier,
      };
    case "Needs-Selection":
      return {
        ...withoutOutputs(item),
        status: "Needs-Selection",
        candidate_page: report.candidatePage,
        candidate_count: report.candidateCount,
        candidate_total: report.candidateTotal,
        has_more_candidates: report.nextCandidatePage !== null,
        next_candidate_page: report.nextCandidatePage,
        review_sheet: report.reviewSheet,
      };
    default:
      // A shortlist outlives a failed search for its next page.
      return {
        ...(hasShortlist(item) ? item : withoutOutputs(item)),
        status: report.status,
        last_error: shortened(report.error),
      };
  }
}

/** The item once a person's choice is stored under its filename. */
export function withChoice(item: RowItem, sourcedFrom: string, licenseTier: string): RowItem {
  return { ...withoutOutputs(item), status: "Sourced", sourced_from: sourcedFrom, license_tier: licenseTier };
}

/** A `Sourced` row that no longer has its image. */
export function withDrift(item: RowItem, reason: string): RowItem {
  return { ...withoutOutputs(item), status: "Failed", last_error: shortened(reason) };
}

/** The item as its author wrote it, but for its status and page. */
export function withoutOutputs(item: RowItem): RowItem {
  return Object.fromEntries(
    Object.entries(item).filter(([field]) => !(OUTPUTS as readonly string[]).includes(field)),
  ) as unknown as RowItem;
}

function hasShortlist(item: RowItem): boolean {
  return item["review_sheet"] !== undefined;
}

function shortened(error: string): string {
  return error.length <= MAX_ERROR_LENGTH ? error : `${error.slice(0, MAX_ERROR_LENGTH - 1)}…`;
}

/** Milliseconds before another try, growing; `random` in [0, 1). Undefined when the run has tried enough. */
export function retryDelayMs(triesSoFar: number, random: number): number | undefined {
  const BASE_MS = 2_000;
  const MOST_TRIES = 3;
  return triesSoFar >= MOST_TRIES ? undefined : Math.round(BASE_MS * 3 ** (triesSoFar - 1) * (0.75 + random / 2));
}
