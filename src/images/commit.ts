import type { ManifestItem } from "./provenance.ts";
import type { NewPool, ShownCandidate, StoredPool, UnavailableCandidate } from "./stored-pool.ts";

/** What a finished acquisition wants recorded. The bytes lie in R2 already, under their SHA-256. */
export interface ImageCommit {
  readonly filename: string;
  readonly sha256: string;
  readonly contentType: string;
  readonly bytes: number;
  /** As it stands in `image_sources.json`. */
  readonly item: ManifestItem;
  readonly origin: Origin;
  /** SHA-256 of a rendition for review, 1024 px at most; missing when none could be made. */
  readonly review?: string;
  /** The candidate that this is, and its pool's generation. */
  readonly selected?: { readonly candidate: string; readonly generation: number };
}

/** A search may replace what a search found, never what a person chose. */
export type Origin = "search" | "manual";

export interface ImageRecord extends ImageCommit {
  /** Epoch milliseconds. */
  readonly committedAt: number;
}

/** Which attempt at which row of a batch is at work; later attempts shut earlier ones out. */
export interface Fence {
  readonly batch: string;
  readonly attempt: number;
}

/** Why a filename cannot be written. */
export interface CommitRefusal {
  readonly code: "filename-conflict" | "manual-image-kept" | "stem-conflict" | "late-attempt";
  /** The filename that stands in the way. */
  readonly existing: string;
}

/** What a look at more previews found; `from` is how many had been examined when it began. */
export interface PreviewReport {
  readonly generation: number;
  readonly from: number;
  readonly shown: readonly ShownCandidate[];
  readonly unavailable: readonly UnavailableCandidate[];
}

/** A page of a pool that is now ready to be looked at. */
export interface ShownPage {
  readonly generation: number;
  readonly page: number;
  readonly pageSize: number;
  /** SHA-256 of its review sheet. */
  readonly sheet: string;
}

/** One project's state, as the jobs see it. Every call is one transaction. */
export interface ProjectStore {
  /** Asked before any provider is called. */
  refusalFor(filename: string, origin: Origin): Promise<CommitRefusal | undefined>;
  /** Asked last; refuses what has become impossible in the meantime. */
  commit(commit: ImageCommit): Promise<CommitRefusal | undefined>;
  image(filename: string): Promise<ImageRecord | undefined>;
  pool(filename: string): Promise<StoredPool | undefined>;
  /** Replaces the pool of the same filename; gives it back with its generation. */
  startPool(pool: NewPool): Promise<StoredPool | CommitRefusal>;
  /** The pool with the report in it, or as another call left it; nothing when it has been replaced in the meantime. */
  addPreviews(filename: string, report: PreviewReport): Promise<StoredPool | undefined>;
  /** Nothing when the pool has been replaced in the meantime. */
  showPage(filename: string, page: ShownPage): Promise<StoredPool | undefined>;
}

/** Where a job puts what it acquires. */
export interface ImageSink {
  readonly bucket: R2Bucket;
  readonly tenant: string;
  readonly project: ProjectStore;
}
