import type { RowStatus } from "../batches/rows.ts";

/** What webhooks tell. Field names are public; the body is the thin envelope of Standard Webhooks. */

interface RowFacts {
  readonly batch: string;
  readonly project: string;
  readonly filename: string;
}

/** A row has another status than before. Only what changed: the whole row stands in the batch. */
export interface RowChanged extends RowFacts {
  readonly status: RowStatus;
  readonly previous_status: RowStatus;
  /** How often the row has been run. */
  readonly attempt: number;
  /** Of a `Sourced` row. */
  readonly sourced_from?: string;
  readonly license_tier?: string;
  /** Of a `Failed` or `Needs-Manual` row: why, in our own words. */
  readonly last_error?: string;
}

/** One preview on the review sheet. */
export interface CandidateSummary {
  /** The number on the sheet. */
  readonly rank: number;
  /** What `promote` takes. */
  readonly filename: string;
  readonly provider: string;
  readonly title: string;
  readonly source_page_url: string;
  readonly license_name: string;
  readonly license_tier: string;
  readonly width: number;
  readonly height: number;
  /** Required terms that its metadata does not show: promoting it needs `identity_confirmed`. */
  readonly missing_required_terms: readonly string[];
}

/** Previews of a row wait for somebody's choice. */
export interface NeedsSelection extends RowFacts {
  /** The current page only, in the order of the sheet. */
  readonly candidates: readonly CandidateSummary[];
  /** Opens the sheet without a key until it expires; missing in a deployment that cannot sign links. */
  readonly review_sheet_url?: string;
  /** Opens the review page of the row without a key, to look, promote and turn pages; missing likewise. */
  readonly review_url?: string;
  readonly candidate_page: number;
  readonly candidate_total: number;
  /** What the row's `candidate_page` is to be set to for more; null on the last page. */
  readonly next_candidate_page: number | null;
}

/** No row is running or waiting to run. `counts` has every status, and their sum is the number of rows. */
export interface BatchCompleted {
  readonly batch: string;
  readonly project: string;
  readonly counts: Readonly<Record<RowStatus, number>>;
}

/** `type` and `data` of the body. */
export type WebhookEvent =
  | { readonly type: "batch.row.changed"; readonly data: RowChanged }
  | { readonly type: "batch.needs_selection"; readonly data: NeedsSelection }
  | { readonly type: "batch.completed"; readonly data: BatchCompleted };

/** The body as it is sent at every try: `timestamp` (ISO 8601) is when it happened, not when it is sent. */
export function eventBody(event: WebhookEvent, now: number): string {
  return JSON.stringify({ type: event.type, timestamp: new Date(now).toISOString(), data: event.data });
}
