/** A batch as the API gives it, and what its states mean to a reader. Pure. */

export const STATUSES = ["Pending", "Needs-Selection", "Sourced", "Needs-Manual", "Failed"] as const;
export type RowStatus = (typeof STATUSES)[number];

export interface RowItem {
  readonly filename: string;
  readonly query: string;
  readonly status: RowStatus;
  readonly last_error?: string;
  readonly sourced_from?: string;
  readonly license_tier?: string;
  readonly candidate_page?: number;
  readonly candidate_count?: number;
  readonly candidate_total?: number;
  readonly next_candidate_page?: number | null;
  readonly required_terms?: string | readonly string[];
  readonly orientation?: string;
  /** Where among the project's files the pictures of the candidates stand together. */
  readonly review_sheet?: string;
}

export interface BatchRow {
  readonly item: RowItem;
  readonly running: boolean;
}

export interface Batch {
  readonly id: string;
  readonly state: "running" | "idle" | "cancelled";
  readonly created_at: string;
  readonly counts: Readonly<Record<RowStatus, number>>;
  readonly rows: readonly BatchRow[];
  readonly next: number | null;
}

export const STATUS_WORDS: Readonly<Record<RowStatus, string>> = {
  Pending: "Waiting",
  "Needs-Selection": "Choose one",
  Sourced: "Done",
  "Needs-Manual": "Nothing found",
  Failed: "Failed",
};

/** Behind a number. */
export const COUNT_WORDS: Readonly<Record<RowStatus, string>> = {
  Pending: "waiting",
  "Needs-Selection": "to choose",
  Sourced: "done",
  "Needs-Manual": "without a result",
  Failed: "failed",
};

export const STATUS_TONE: Readonly<Record<RowStatus, string>> = {
  Pending: "plain",
  "Needs-Selection": "info",
  Sourced: "good",
  "Needs-Manual": "warn",
  Failed: "bad",
};

const TIERS: Readonly<Record<string, string>> = {
  "no-attribution": "no credit needed",
  "attribution-required": "needs its credit line",
};

/** What happened to a row, and what to do now. */
export function rowAdvice({ item, running }: BatchRow): string {
  if (running) return "Searching now.";
  switch (item.status) {
    case "Pending":
      return "Waits for its turn.";
    case "Sourced":
      if (item.license_tier === "manual") return "Your own picture, license not checked.";
      return `From ${item.sourced_from ?? "a provider"}, ${TIERS[item.license_tier ?? ""] ?? "license recorded"}.`;
    case "Needs-Selection":
      return `${counted(item.candidate_count ?? 0, "candidate")} on page ${item.candidate_page ?? 1}, ${item.candidate_total ?? 0} in all.`;
    case "Needs-Manual":
      return "Change the query, or give a picture of your own on its review page.";
    case "Failed":
      return "Run what is left to try it again.";
  }
}

export function isReviewable({ item, running }: BatchRow): boolean {
  return !running && item.status !== "Pending";
}

export interface Progress {
  readonly total: number;
  /** Rows that wait for nobody. */
  readonly ended: number;
  readonly words: string;
}

export function progressOf(counts: Batch["counts"]): Progress {
  const total = STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const ended = total - (counts.Pending ?? 0);
  return { total, ended, words: `${ended} of ${counted(total, "row")} searched, ${counts.Sourced ?? 0} done` };
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
