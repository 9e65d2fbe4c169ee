import { filenameKey } from "../src/images/filename.ts";

/** What an idempotency key says of a submission. */
export type Claim =
  | { readonly kind: "new" }
  | { readonly kind: "same"; readonly batch: string }
  | { readonly kind: "other-body" }
  | { readonly kind: "in-flight" };

const KEY_LIFE_MS = 24 * 60 * 60 * 1_000;
/** A submission that was never finished (its Worker died) may be tried again after this. */
const IN_FLIGHT_MS = 60_000;

/** The batches of one project, their idempotency keys, and which of them a filename belongs to. */
export class ProjectBatches {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS batches (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS batch_rows (filename_key TEXT PRIMARY KEY, batch TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS idempotency (
        key TEXT PRIMARY KEY,
        fingerprint TEXT NOT NULL,
        batch TEXT,
        claimed_at INTEGER NOT NULL
      );
    `);
  }

  claim(key: string, fingerprint: string, now: number): Claim {
    this.#sql.exec("DELETE FROM idempotency WHERE claimed_at < ?", now - KEY_LIFE_MS);
    this.#sql.exec("DELETE FROM idempotency WHERE batch IS NULL AND claimed_at < ?", now - IN_FLIGHT_MS);
    const [row] = this.#sql.exec<{ fingerprint: string; batch: string | null }>(
      "SELECT fingerprint, batch FROM idempotency WHERE key = ?",
      key,
    );
    if (row === undefined) {
      this.#sql.exec("INSERT INTO idempotency VALUES (?, ?, NULL, ?)", key, fingerprint, now);
      return { kind: "new" };
    }
    if (row.fingerprint !== fingerprint) return { kind: "other-body" };
    return row.batch === null ? { kind: "in-flight" } : { kind: "same", batch: row.batch };
  }

  add(batch: string, filenames: readonly string[], key: string | undefined, now: number): void {
    this.#sql.exec("INSERT INTO batches (id, created_at) VALUES (?, ?)", batch, now);
    for (const filename of filenames) {
      this.#sql.exec("INSERT OR REPLACE INTO batch_rows VALUES (?, ?)", filenameKey(filename), batch);
    }
    if (key !== undefined) this.#sql.exec("UPDATE idempotency SET batch = ? WHERE key = ?", batch, key);
  }

  page(
    before: number | undefined,
    limit: number,
  ): { batches: { id: string; created_at: number }[]; next: number | undefined } {
    const rows = this.#sql
      .exec<{ sequence: number; id: string; created_at: number }>(
        "SELECT * FROM batches WHERE sequence < ? ORDER BY sequence DESC LIMIT ?",
        before ?? Number.MAX_SAFE_INTEGER,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return {
      batches: page.map(({ id, created_at }) => ({ id, created_at })),
      next: rows.length > limit ? page.at(-1)!.sequence : undefined,
    };
  }

  remove(batch: string): void {
    this.#sql.exec("DELETE FROM batch_rows WHERE batch = ?", batch);
    this.#sql.exec("DELETE FROM idempotency WHERE batch = ?", batch);
    this.#sql.exec("DELETE FROM batches WHERE id = ?", batch);
  }

  of(filename: string): string | undefined {
    const [row] = this.#sql.exec<{ batch: string }>(
      "SELECT batch FROM batch_rows WHERE filename_key = ?",
      filenameKey(filename),
    );
    return row?.batch;
  }
}
