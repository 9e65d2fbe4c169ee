import type { CommitRefusal, Fence } from "../src/images/commit.ts";
import { filenameKey } from "../src/images/filename.ts";

/** Which attempt of which batch was the last to work on a filename: an earlier one that still runs comes too late. */
export class ProjectFences {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS fences (
        filename_key TEXT PRIMARY KEY,
        batch TEXT NOT NULL,
        attempt INTEGER NOT NULL
      )
    `);
  }

  /** Notes the attempt, or refuses it. */
  pass(filename: string, fence: Fence | undefined): CommitRefusal | undefined {
    if (fence === undefined) return undefined;
    const key = filenameKey(filename);
    const [seen] = this.#sql.exec<{ batch: string; attempt: number }>(
      "SELECT batch, attempt FROM fences WHERE filename_key = ?",
      key,
    );
    if (seen?.batch === fence.batch && seen.attempt > fence.attempt)
      return { code: "late-attempt", existing: filename };
    this.#sql.exec("INSERT OR REPLACE INTO fences VALUES (?, ?, ?)", key, fence.batch, fence.attempt);
    return undefined;
  }
}
