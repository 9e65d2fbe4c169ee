import type { RowItem, RowStatus } from "../src/batches/rows.ts";

/** One entry of a batch's event stream; `id` counts from 1 without gaps. */
export interface BatchEvent {
  readonly id: number;
  readonly type: "row" | "progress" | "done";
  readonly data: Readonly<Record<string, unknown>>;
}

/** What watchers of a batch hear, kept so that one who was cut off loses nothing. */
export class BatchEvents {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        data TEXT NOT NULL
      )
    `);
  }

  add(type: BatchEvent["type"], data: BatchEvent["data"]): void {
    this.#sql.exec("INSERT INTO events (type, data) VALUES (?, ?)", type, JSON.stringify(data));
  }

  /** A row has come to another state; `retryAt` (epoch milliseconds) where it will be tried again. */
  row(item: RowItem, previous: RowStatus, retryAt: number | undefined): void {
    this.add("row", {
      filename: item.filename,
      status: item.status,
      previous_status: previous,
      ...(typeof item["last_error"] === "string" ? { last_error: item["last_error"] } : {}),
      ...(retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() }),
    });
  }

  clear(): void {
    this.#sql.exec("DELETE FROM events");
  }

  after(id: number, limit: number): BatchEvent[] {
    return this.#sql
      .exec<{ id: number; type: BatchEvent["type"]; data: string }>(
        "SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?",
        id,
        limit,
      )
      .toArray()
      .map(({ id: number, type, data }) => ({ id: number, type, data: JSON.parse(data) as BatchEvent["data"] }));
  }
}
