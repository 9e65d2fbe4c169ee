import type { CommitRefusal, Fence } from "../src/images/commit.ts";
import { filenameKey } from "../src/images/filename.ts";

/** No filename is empty. */
const EVERY_FILE = "";

/** Which attempt of which batch was the last to work on a filename: an earlier one that still runs comes too late. */
export class ProjectFences {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS fences (
        filename_key TEXT NOT NULL,
        batch TEXT NOT NULL,
        attempt REAL NOT NULL,
        PRIMARY KEY (filename_key, batch)
      );
      CREATE TABLE IF NOT EXISTS stored_by (
        filename_key TEXT PRIMARY KEY,
        batch TEXT NOT NULL,
        attempt INTEGER NOT NULL
      );
    `);
  }

  /** Notes the attempt, or refuses it. */
  pass(filename: string, fence: Fence | undefined): CommitRefusal | undefined {
    if (fence === undefined) return undefined;
    const key = filenameKey(filename);
    const [seen] = this.#sql.exec<{ attempt: number }>(
      "SELECT attempt FROM fences WHERE filename_key IN (?, ?) AND batch = ? ORDER BY attempt DESC LIMIT 1",
      key,
      EVERY_FILE,
      fence.batch,
    );
    if (seen !== undefined && seen.attempt > fence.attempt) return { code: "late-attempt", existing: filename };
    this.#sql.exec("INSERT OR REPLACE INTO fences VALUES (?, ?, ?)", key, fence.batch, fence.attempt);
    return undefined;
  }

  /** Notes whose image lies under the filename now; without a fence nobody's of a batch. */
  stored(filename: string, fence: Fence | undefined): void {
    const key = filenameKey(filename);
    if (fence === undefined) this.#sql.exec("DELETE FROM stored_by WHERE filename_key = ?", key);
    else this.#sql.exec("INSERT OR REPLACE INTO stored_by VALUES (?, ?, ?)", key, fence.batch, fence.attempt);
  }

  /** Whether the image under the filename is of this batch, and of this attempt or a later one. */
  isStoredSince(filename: string, { batch, attempt }: Fence): boolean {
    const found = this.#sql.exec(
      "SELECT 1 FROM stored_by WHERE filename_key = ? AND batch = ? AND attempt >= ?",
      filenameKey(filename),
      batch,
      attempt,
    );
    return found.toArray().length > 0;
  }

  /** Makes every attempt of a batch a late one, for good. It keeps a few bytes of a batch that is gone. */
  endBatch(batch: string): void {
    this.#sql.exec("DELETE FROM fences WHERE batch = ?", batch);
    this.#sql.exec("INSERT INTO fences VALUES (?, ?, ?)", EVERY_FILE, batch, Number.MAX_SAFE_INTEGER);
  }

  /** Makes every attempt that is at work on the filename a late one, however often; the next one is not. */
  shutOut(filename: string): void {
    this.#sql.exec(
      "UPDATE fences SET attempt = CAST(attempt AS INTEGER) + 0.5 WHERE filename_key = ?",
      filenameKey(filename),
    );
  }
}
