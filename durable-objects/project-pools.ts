import type { CommitRefusal, ImageCommit, PreviewReport, ShownPage } from "../src/images/commit.ts";
import { filenameKey, sameFilenameIgnoringCase, stemOf } from "../src/images/filename.ts";
import { examined, type NewPool, type StoredPool } from "../src/images/stored-pool.ts";

/** The candidate pools of one project, one a filename. */
export class ProjectPools {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS pools (
        filename_key TEXT PRIMARY KEY,
        stem_key TEXT NOT NULL UNIQUE,
        pool TEXT NOT NULL
      )
    `);
  }

  get(filename: string): StoredPool | undefined {
    return this.#one("SELECT pool FROM pools WHERE filename_key = ?", filenameKey(filename));
  }

  byStem(stem: string): StoredPool | undefined {
    return this.#one("SELECT pool FROM pools WHERE stem_key = ?", filenameKey(stem));
  }

  /** Candidates lie under the filename's stem, so another filename cannot have the same one. */
  refusalFor(filename: string): CommitRefusal | undefined {
    const existing = this.byStem(stemOf(filename))?.filename;
    if (existing === undefined || existing === filename) return undefined;
    return { code: sameFilenameIgnoringCase(existing, filename) ? "filename-conflict" : "stem-conflict", existing };
  }

  /** Replaces the pool of the same filename. */
  start(pool: NewPool): StoredPool {
    const before = this.get(pool.filename)?.generation ?? 0;
    const started = { ...pool, generation: Math.max(before + 1, pool.searchedAt) };
    this.#put(started);
    return started;
  }

  #put(pool: StoredPool): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO pools VALUES (?, ?, ?)",
      filenameKey(pool.filename),
      filenameKey(pool.stem),
      JSON.stringify(pool),
    );
  }

  /** Adds what was found; when another call was faster, its report stands and this one is dropped. Nothing when the pool is gone. */
  addPreviews(filename: string, report: PreviewReport): StoredPool | undefined {
    const pool = this.get(filename);
    if (pool?.generation !== report.generation) return undefined;
    if (examined(pool) !== report.from) return pool;
    const next = {
      ...pool,
      shown: [...pool.shown, ...report.shown],
      unavailable: [...pool.unavailable, ...report.unavailable],
    };
    this.#put(next);
    return next;
  }

  showPage(filename: string, shown: ShownPage): StoredPool | undefined {
    const pool = this.get(filename);
    if (pool?.generation !== shown.generation) return undefined;
    const savedPages = [...new Set([...pool.savedPages, shown.page])].toSorted((a, b) => a - b);
    const next = { ...pool, page: shown.page, pageSize: shown.pageSize, sheet: shown.sheet, savedPages };
    this.#put(next);
    return next;
  }

  /** Does nothing when another pool has replaced the one that was chosen from. */
  select(filename: string, { candidate, generation }: NonNullable<ImageCommit["selected"]>): void {
    const pool = this.get(filename);
    if (pool?.generation === generation) this.#put({ ...pool, selected: candidate });
  }

  /** Whether there was one. */
  remove(filename: string): boolean {
    if (this.get(filename)?.filename !== filename) return false;
    this.#sql.exec("DELETE FROM pools WHERE filename_key = ?", filenameKey(filename));
    return true;
  }

  /** Whether there was any. */
  clear(): boolean {
    return this.#sql.exec("DELETE FROM pools").rowsWritten > 0;
  }

  #one(query: string, key: string): StoredPool | undefined {
    const [row] = this.#sql.exec<{ pool: string }>(query, key);
    return row === undefined ? undefined : (JSON.parse(row.pool) as StoredPool);
  }
}
