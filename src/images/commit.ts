import type { ManifestItem } from "./provenance.ts";

/** What a finished acquisition wants recorded. The bytes lie in R2 already, under their SHA-256. */
export interface ImageCommit {
  readonly filename: string;
  readonly sha256: string;
  readonly contentType: string;
  readonly bytes: number;
  /** As it stands in `image_sources.json`. */
  readonly item: ManifestItem;
  readonly origin: "search" | "manual";
}

export interface ImageRecord extends ImageCommit {
  /** Epoch milliseconds. */
  readonly committedAt: number;
}

/** Why a filename cannot be written. */
export interface CommitRefusal {
  readonly code: "filename-conflict" | "manual-image-kept";
  /** The filename as it stands in the project. */
  readonly existing: string;
}

/** Where an acquired image goes: the bucket, and the project that names it. */
export interface ImageSink {
  readonly bucket: R2Bucket;
  readonly tenant: string;
  /** Asked before any provider is called. */
  refusalFor(filename: string): Promise<CommitRefusal | undefined>;
  /** Asked last; refuses what has become impossible in the meantime. */
  commit(commit: ImageCommit): Promise<CommitRefusal | undefined>;
}
