import type { Attempt } from "../cascade/attempt.ts";
import { wasWanted } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { makeReviewSheet, type SheetCell } from "../pixels/sheet.ts";
import { objectKey, putObject } from "../storage/objects.ts";
import type { ImageSink } from "./commit.ts";
import { findCandidates } from "./find.ts";
import { poolFingerprint } from "./pool.ts";
import { lookAtPreviews } from "./previews.ts";
import { refuse, refused } from "./refusal.ts";
import type { ImageRequest } from "./request.ts";
import { stemOf } from "./filename.ts";
import { candidateTotal, examined, pageRange, type StoredPool } from "./stored-pool.ts";

export interface CandidatePage {
  readonly pool: StoredPool;
  /** Of the search, where this call made one; a page of an existing pool asks no provider. */
  readonly attempts: readonly Attempt[];
}

const FRESH_MS = 60 * 60 * 1_000;
/** A pool is one value of the project's database, two megabytes at most. */
const MOST_RANKED = 400;

/**
 * One page of ranked previews to choose from, with its review sheet. The first page searches and fixes the pool; later
 * ones are cut from it. Nothing is downloaded but previews.
 */
export async function showCandidates(
  request: ImageRequest,
  page: number,
  pageSize: number,
  sink: ImageSink,
  context: JobContext,
): Promise<CandidatePage> {
  refuse(await sink.project.refusalFor(request.filename, "search"));
  const { pool, attempts } = await poolFor(request, page, sink, context);
  return { pool: await showPage(pool, page, pageSize, attempts, sink, context), attempts };
}

/**
 * A page of the pool that a filename has, in the size of the one before it, however old the pool is: no provider is
 * asked. `no-pool` where there is none.
 */
export async function showPoolPage(
  filename: string,
  page: number,
  sink: ImageSink,
  context: JobContext,
): Promise<StoredPool> {
  refuse(await sink.project.refusalFor(filename, "search"));
  const pool = await sink.project.pool(filename);
  if (pool?.filename !== filename) throw new SluiceError("no-pool", `There are no candidates for ${filename}.`);
  return showPage(pool, page, pool.pageSize, [], sink, context);
}

async function showPage(
  pool: StoredPool,
  page: number,
  pageSize: number,
  attempts: readonly Attempt[],
  sink: ImageSink,
  context: JobContext,
): Promise<StoredPool> {
  const { first, end } = pageRange(page, pageSize);
  // Known before any preview is asked for, so that such a page changes nothing.
  if (first > candidateTotal(pool)) throw nothingToShow(pool, page, first, attempts);
  const filled = await fill(pool, page, pageSize, sink, context);
  const onPage = filled.shown.slice(first - 1, end);
  if (onPage.length === 0) throw nothingToShow(filled, page, first, attempts);
  const sheet = await storeSheet(filled, first, onPage, sink);
  const shown = await sink.project.showPage(pool.filename, {
    generation: filled.generation,
    page,
    pageSize,
    sheet,
  });
  if (shown === undefined) throw replaced();
  return shown;
}

async function poolFor(
  request: ImageRequest,
  page: number,
  sink: ImageSink,
  context: JobContext,
): Promise<{ pool: StoredPool; attempts: readonly Attempt[] }> {
  const fingerprint = poolFingerprint(request);
  const existing = await sink.project.pool(request.filename);
  const now = context.clock.now();
  // The same request is the same pool, so that its pages stay as they were shown.
  if (existing?.fingerprint === fingerprint && (page > 1 || isFresh(existing, now))) {
    return { pool: existing, attempts: [] };
  }
  if (page > 1) {
    const why = existing === undefined ? "none has been made" : "the request has changed since it was made";
    throw new SluiceError("no-pool", `Page ${page} is cut from a candidate pool, and ${why}. Ask for page 1 first.`);
  }
  const { ranked, attempts } = await findCandidates(request, "review", context);
  const pool = await sink.project.startPool({
    filename: request.filename,
    stem: stemOf(request.filename),
    fingerprint,
    request,
    searchedAt: now,
    complete: attempts.filter(wasWanted).every((attempt) => attempt.class === undefined),
    ranked: ranked.slice(0, MOST_RANKED),
    shown: [],
    unavailable: [],
    page: 1,
    pageSize: 0,
    savedPages: [],
  });
  if ("code" in pool) throw refused(pool);
  return { pool, attempts };
}

/** Whether page 1 may be cut from it again: a search that not every provider answered is worth another one. */
function isFresh(pool: StoredPool, now: number): boolean {
  return pool.complete && now - pool.searchedAt < FRESH_MS;
}

/** Looks at further previews until the page is full or the pool is at its end. */
async function fill(
  pool: StoredPool,
  page: number,
  pageSize: number,
  sink: ImageSink,
  context: JobContext,
): Promise<StoredPool> {
  const { end } = pageRange(page, pageSize);
  let current = pool;
  while (current.shown.length < end && examined(current) < current.ranked.length && !context.deadline.signal.aborted) {
    const report = await lookAtPreviews(current, end - current.shown.length, sink, context);
    const next = await sink.project.addPreviews(pool.filename, report);
    if (next === undefined) throw replaced();
    current = next;
  }
  return current;
}

async function storeSheet(
  pool: StoredPool,
  first: number,
  onPage: StoredPool["shown"],
  sink: ImageSink,
): Promise<string> {
  const cells: SheetCell[] = [];
  for (const [offset, shown] of onPage.entries()) {
    const { candidate, missingRequiredTerms } = pool.ranked[shown.index]!;
    const object = await sink.bucket.get(objectKey(sink.tenant, shown.sha256));
    const size = candidate.fetchable ?? candidate;
    cells.push({
      rank: first + offset,
      provider: candidate.provider,
      tier: candidate.license.tier,
      originalWidth: size.width,
      originalHeight: size.height,
      ...(missingRequiredTerms[0] === undefined ? {} : { nearMatch: missingRequiredTerms[0] }),
      image: object === null ? { unreadable: "gone" } : new Uint8Array(await object.arrayBuffer()),
    });
  }
  const { jpeg } = makeReviewSheet(cells);
  return (await putObject(sink.bucket, sink.tenant, jpeg, "image/jpeg")).sha256;
}

function nothingToShow(pool: StoredPool, page: number, first: number, attempts: readonly Attempt[]): SluiceError {
  const total = candidateTotal(pool);
  if (first > 1 && first > total) {
    const detail = `Candidate page ${page} is past the ${total} available candidates.`;
    return new SluiceError("pool-exhausted", detail, { context: { candidate_total: total } });
  }
  const all = examined(pool) === pool.ranked.length;
  const why = all
    ? `None of the ${pool.unavailable.length} previews could be read`
    : "The time was over before the page";
  const detail = `${why}. Try again.`;
  return new SluiceError("previews-failed", detail, {
    context: { attempts, unavailable: pool.unavailable.slice(0, 8) },
  });
}

function replaced(): SluiceError {
  return new SluiceError("no-pool", "Another request has replaced this candidate pool. Ask for page 1 again.");
}
