import type { RankedCandidate } from "./ranking.ts";
import type { ImageRequest } from "./request.ts";

/**
 * One search's result, kept so that ranks never move: `ranked` is fixed when the pool is made, and candidates get their
 * numbers in the order in which their previews turn out to be readable.
 */
export interface StoredPool {
  readonly filename: string;
  readonly stem: string;
  readonly fingerprint: string;
  /** Given by the project: no two pools of one filename have the same, even when their requests do. */
  readonly generation: number;
  readonly request: ImageRequest;
  /** Epoch milliseconds. */
  readonly searchedAt: number;
  /** Every provider that was asked answered. */
  readonly complete: boolean;
  readonly ranked: readonly RankedCandidate[];
  /** `candidate_01.jpg` is the first. */
  readonly shown: readonly ShownCandidate[];
  readonly unavailable: readonly UnavailableCandidate[];
  /** Of the page that was asked for last. */
  readonly page: number;
  /** 0 means as much of the pool as one call may show: the whole of it, but for very large ones. */
  readonly pageSize: number;
  readonly savedPages: readonly number[];
  /** SHA-256 of the sheet of that page. */
  readonly sheet?: string;
  /** The promoted candidate's file. */
  readonly selected?: string;
}

export type NewPool = Omit<StoredPool, "generation">;

export interface ShownCandidate {
  /** Place in `ranked`. */
  readonly index: number;
  /** The preview's object. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
}

export interface UnavailableCandidate {
  readonly index: number;
  readonly reason: string;
}

/** Previews that one call may ask for, however large the pool. */
const MOST_PREVIEWS = 64;

/** Numbers of the candidates on a page, from 1; `end` may lie past the last. */
export function pageRange(page: number, pageSize: number): { first: number; end: number } {
  const size = pageSize === 0 ? MOST_PREVIEWS : pageSize;
  return { first: (page - 1) * size + 1, end: page * size };
}

/** Candidates whose preview has been asked for: a prefix of `ranked`. */
export function examined(pool: StoredPool): number {
  return pool.shown.length + pool.unavailable.length;
}

/** Candidates that can be had, as far as is known: those with a dead preview no longer count. */
export function candidateTotal(pool: StoredPool): number {
  return pool.ranked.length - pool.unavailable.length;
}

export function hasMoreCandidates(pool: StoredPool): boolean {
  return candidateTotal(pool) > pageRange(pool.page, pool.pageSize).end;
}

export function candidateFile(number: number): string {
  return `candidate_${String(number).padStart(2, "0")}.jpg`;
}

/** The candidate behind a file name of this pool, if it has been shown. */
export function candidateOf(
  pool: StoredPool,
  file: string,
): { readonly ranked: RankedCandidate; readonly shown: ShownCandidate } | undefined {
  const number = Number(/^candidate_(\d{2,})\.jpg$/.exec(file)?.[1] ?? 0);
  const shown = pool.shown[number - 1];
  if (shown === undefined || candidateFile(number) !== file) return undefined;
  return { ranked: pool.ranked[shown.index]!, shown };
}
