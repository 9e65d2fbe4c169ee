import type { RowItem, RowStatus } from "../src/batches/rows.ts";
import type { BatchOptions } from "../src/batches/submission.ts";
import type { StoredRow } from "./batch-rows.ts";
import type { ProjectIdentity } from "./project.ts";

/** What a batch is made of, once and for all. */
export interface BatchSpec {
  readonly id: string;
  readonly identity: ProjectIdentity;
  readonly items: readonly RowItem[];
  readonly options: BatchOptions;
  /** Members of `image_queries.json` beside `items`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export type BatchState = "running" | "idle" | "cancelled";

export interface BatchView {
  readonly id: string;
  readonly state: BatchState;
  readonly createdAt: number;
  readonly options: Omit<BatchOptions, "webhook">;
  readonly counts: Readonly<Record<RowStatus, number>>;
  readonly rows: readonly StoredRow[];
  /** Position behind which the next page begins. */
  readonly next: number | undefined;
}

/** Why a row was not changed. */
export type PatchRefusal = "no-row" | "running" | "changed" | "cancelled";

/** What a batch keeps of itself beside its rows. */
export interface BatchMeta {
  readonly spec: Omit<BatchSpec, "items">;
  readonly createdAt: number;
  readonly state: BatchState;
  /** `Sourced` rows behind this position are still to be checked before the run begins. */
  readonly checkFrom?: number | undefined;
  /** `done` is still to be told: rows run, wait to run or are to be checked. */
  readonly open: boolean;
}
