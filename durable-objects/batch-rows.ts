import type { Attempt } from "../src/cascade/attempt.ts";
import { filenameKey } from "../src/images/filename.ts";
import { ROW_STATUSES, type RowItem, type RowStatus } from "../src/batches/rows.ts";

/** A row in hand: whoever holds the lease works on it until the lease ends. */
export interface Claim {
  readonly position: number;
  readonly item: RowItem;
  /** Counts every claim of the row; fences late runners. */
  readonly attempt: number;
  /** Tries in this run that ended in a transient failure. */
  readonly tries: number;
  /** Claims directly before this one whose runners fell silent. */
  readonly crashes: number;
  readonly previousStatus: RowStatus;
}

export interface StoredRow {
  readonly position: number;
  readonly item: RowItem;
  /** The last claim of the row; 0 before the first. */
  readonly attempt: number;
  readonly attempts: readonly Attempt[];
  readonly running: boolean;
}

/** Claims that ended without a report: the runner died with the row. */
const MOST_CRASHES = 3;

/** The rows of one batch: what each is, who works on it, and when it is due. */
export class BatchRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS rows (
        position INTEGER PRIMARY KEY,
        filename_key TEXT NOT NULL UNIQUE,
        status TEXT NOT NULL,
        item TEXT NOT NULL,
        attempts TEXT NOT NULL DEFAULT '[]',
        attempt INTEGER NOT NULL DEFAULT 0,
        tries INTEGER NOT NULL DEFAULT 0,
        crashes INTEGER NOT NULL DEFAULT 0,
        due_at INTEGER,
        leased_until INTEGER
      );
      CREATE INDEX IF NOT EXISTS rows_by_due ON rows (due_at) WHERE due_at IS NOT NULL;
    `);
  }

  clear(): void {
    this.#sql.exec("DELETE FROM rows");
  }

  insert(items: readonly RowItem[]): void {
    for (const [position, item] of items.entries()) {
      this.#sql.exec(
        "INSERT INTO rows (position, filename_key, status, item) VALUES (?, ?, ?, ?)",
        position,
        filenameKey(item.filename),
        item.status,
        JSON.stringify(item),
      );
    }
  }

  /** Makes every row of these statuses due at once, as at the start of a run. */
  queue(statuses: readonly RowStatus[], now: number): void {
    for (const status of statuses) {
      this.#sql.exec(
        "UPDATE rows SET due_at = ?, tries = 0, crashes = 0 WHERE status = ? AND leased_until IS NULL",
        now,
        status,
      );
    }
  }

  /** Nothing is due any more; what runs is let run. Returns the rows that waited for another try. */
  unqueue(): StoredRow[] {
    const waiting = this.#sql
      .exec<RawRow>("SELECT * FROM rows WHERE due_at IS NOT NULL AND leased_until IS NULL AND tries > 0")
      .toArray();
    this.#sql.exec("UPDATE rows SET due_at = NULL, tries = 0 WHERE leased_until IS NULL");
    return waiting.map(toStored);
  }

  /** The next due row, leased until `until`. */
  claim(now: number, until: number): Claim | undefined {
    const [row] = this.#sql.exec<RawRow>(
      "SELECT * FROM rows WHERE due_at <= ? AND leased_until IS NULL ORDER BY due_at, position LIMIT 1",
      now,
    );
    if (row === undefined) return undefined;
    const attempt = row.attempt + 1;
    this.#sql.exec("UPDATE rows SET attempt = ?, leased_until = ? WHERE position = ?", attempt, until, row.position);
    const item = JSON.parse(row.item) as RowItem;
    return {
      position: row.position,
      item,
      attempt,
      tries: row.tries,
      crashes: row.crashes,
      previousStatus: row.status,
    };
  }

  /** False when the lease is no longer this attempt's. */
  renew({ position, attempt }: Claim, until: number): boolean {
    return (
      this.#sql.exec(
        "UPDATE rows SET leased_until = ? WHERE position = ? AND attempt = ? AND leased_until IS NOT NULL",
        until,
        position,
        attempt,
      ).rowsWritten > 0
    );
  }

  /** Ends a claim with the row's new state; `dueAt` makes it due again. False for a stale lease: nothing is changed. */
  finish(claim: Claim, item: RowItem, attempts: readonly Attempt[], dueAt: number | undefined): boolean {
    if (!this.#holds(claim)) return false;
    this.#sql.exec(
      `UPDATE rows SET status = ?, item = ?, attempts = ?, leased_until = NULL, due_at = ?,
         tries = ?, crashes = 0 WHERE position = ?`,
      item.status,
      JSON.stringify(item),
      JSON.stringify(attempts),
      dueAt ?? null,
      dueAt === undefined ? 0 : claim.tries + 1,
      claim.position,
    );
    return true;
  }

  /**
   * Takes back the rows whose runner has fallen silent. They are due again, but for those that have taken three
   * runners with them: these are returned, and are no longer due.
   */
  takeBack(now: number): Claim[] {
    const silent = this.#sql.exec<RawRow>("SELECT * FROM rows WHERE leased_until <= ?", now).toArray();
    const poisoned: Claim[] = [];
    for (const row of silent) {
      const crashes = row.crashes + 1;
      const isPoisoned = crashes >= MOST_CRASHES;
      this.#sql.exec(
        "UPDATE rows SET leased_until = NULL, crashes = ?, due_at = ? WHERE position = ?",
        crashes,
        isPoisoned ? null : now,
        row.position,
      );
      const item = JSON.parse(row.item) as RowItem;
      const { position, attempt, tries, status } = row;
      if (isPoisoned) poisoned.push({ position, item, attempt, tries, crashes, previousStatus: status });
    }
    return poisoned;
  }

  /** Replaces a row, and ends the lease of whoever works on it: that report will be stale. `dueAt` makes it due. */
  put(position: number, item: RowItem, dueAt: number | undefined): void {
    this.#sql.exec(
      "UPDATE rows SET status = ?, item = ?, due_at = ?, leased_until = NULL, tries = 0, crashes = 0 WHERE position = ?",
      item.status,
      JSON.stringify(item),
      dueAt ?? null,
      position,
    );
  }

  get(filename: string): StoredRow | undefined {
    const [row] = this.#sql.exec<RawRow>("SELECT * FROM rows WHERE filename_key = ?", filenameKey(filename));
    return row === undefined || (JSON.parse(row.item) as RowItem).filename !== filename ? undefined : toStored(row);
  }

  page(after: number, limit: number): { rows: StoredRow[]; next: number | undefined } {
    const rows = this.#sql
      .exec<RawRow>("SELECT * FROM rows WHERE position > ? ORDER BY position LIMIT ?", after, limit + 1)
      .toArray();
    const page = rows.slice(0, limit);
    return { rows: page.map(toStored), next: rows.length > limit ? page.at(-1)!.position : undefined };
  }

  all(): RowItem[] {
    return this.#sql
      .exec<{ item: string }>("SELECT item FROM rows ORDER BY position")
      .toArray()
      .map(({ item }) => JSON.parse(item) as RowItem);
  }

  /** At most `limit` rows of a status behind a position. */
  withStatus(status: RowStatus, after: number, limit: number): StoredRow[] {
    return this.#sql
      .exec<RawRow>(
        "SELECT * FROM rows WHERE status = ? AND position > ? ORDER BY position LIMIT ?",
        status,
        after,
        limit,
      )
      .toArray()
      .map(toStored);
  }

  /** Whether a row that was read before still holds the same item. */
  isStill(position: number, item: RowItem): boolean {
    const [row] = this.#sql.exec<{ item: string }>("SELECT item FROM rows WHERE position = ?", position);
    return row?.item === JSON.stringify(item);
  }

  counts(): Record<RowStatus, number> {
    const counts = Object.fromEntries(ROW_STATUSES.map((status) => [status, 0])) as Record<RowStatus, number>;
    for (const { status, count } of this.#sql.exec<{ status: RowStatus; count: number }>(
      "SELECT status, COUNT(*) AS count FROM rows GROUP BY status",
    )) {
      counts[status] = count;
    }
    return counts;
  }

  /** When there is something to do next: a row due, or a lease that could end. Epoch milliseconds. */
  nextDue(): number | undefined {
    const { next } = this.#sql
      .exec<{ next: number | null }>(
        `SELECT MIN(at) AS next FROM (
           SELECT leased_until AS at FROM rows WHERE leased_until IS NOT NULL
           UNION ALL SELECT due_at FROM rows WHERE due_at IS NOT NULL AND leased_until IS NULL)`,
      )
      .one();
    return next ?? undefined;
  }

  #holds({ position, attempt }: Claim): boolean {
    const [row] = this.#sql.exec<{ attempt: number; leased_until: number | null }>(
      "SELECT attempt, leased_until FROM rows WHERE position = ?",
      position,
    );
    return row !== undefined && row.attempt === attempt && row.leased_until !== null;
  }
}

interface RawRow extends Record<string, SqlStorageValue> {
  position: number;
  status: RowStatus;
  item: string;
  attempts: string;
  attempt: number;
  tries: number;
  crashes: number;
  due_at: number | null;
  leased_until: number | null;
}

function toStored(row: RawRow): StoredRow {
  return {
    position: row.position,
    item: JSON.parse(row.item) as RowItem,
    attempt: row.attempt,
    attempts: JSON.parse(row.attempts) as Attempt[],
    running: row.leased_until !== null,
  };
}
