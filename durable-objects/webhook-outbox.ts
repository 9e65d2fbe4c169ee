import type { Delivery, DeliveryResult } from "../src/webhooks/deliver.ts";
import { eventBody, type WebhookEvent } from "../src/webhooks/events.ts";
import { boundedRetryAfter, waitBeforeNextTry } from "../src/webhooks/schedule.ts";

/** `pending` has a next try, unless the endpoint is disabled; `failed` is given up until somebody re-sends it. */
export type DeliveryState = "pending" | "delivered" | "failed";

/** One line of the delivery log. Times are epoch milliseconds. */
export interface DeliveryRecord {
  readonly sequence: number;
  readonly id: string;
  readonly type: WebhookEvent["type"];
  readonly state: DeliveryState;
  /** All tries, those behind a re-send included. */
  readonly attempts: number;
  readonly createdAt: number;
  readonly lastTriedAt?: number;
  /** HTTP status of the last try; missing when no answer came. */
  readonly lastStatus?: number;
  readonly lastDetail?: string;
  readonly nextTryAt?: number;
}

/** Why nothing is sent any more. */
export interface Disabled {
  readonly reason: string;
  readonly at: number;
}

/**
 * Events on their way to one endpoint, in the SQLite of the object that makes them, so that a change and its event are
 * one transaction. Delivery is at least once: a try whose result was not recorded is made again, with the same id.
 */
export class WebhookOutbox {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS webhook_deliveries (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        last_tried_at INTEGER,
        last_status INTEGER,
        last_detail TEXT,
        next_try_at INTEGER
      );
      CREATE INDEX IF NOT EXISTS webhook_deliveries_by_next_try
        ON webhook_deliveries (next_try_at, sequence) WHERE next_try_at IS NOT NULL;
      CREATE TABLE IF NOT EXISTS webhook_endpoint (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        disabled_reason TEXT,
        disabled_at INTEGER,
        quiet_until INTEGER NOT NULL
      );
      INSERT OR IGNORE INTO webhook_endpoint VALUES (1, NULL, NULL, 0);
    `);
  }

  /** Takes an event up, due at once, and returns its id, `msg_` and `random`. Its body never changes afterwards. */
  enqueue(event: WebhookEvent, random: string, now: number): string {
    const id = `msg_${random}`;
    this.#sql.exec(
      `INSERT INTO webhook_deliveries (id, type, body, state, attempts, tries, created_at, next_try_at)
       VALUES (?, ?, ?, 'pending', 0, 0, ?, ?)`,
      id,
      event.type,
      eventBody(event, now),
      now,
      now,
    );
    return id;
  }

  /** Takes back everything that was not sent yet, and forgets what was. */
  clear(): void {
    this.#sql.exec("DELETE FROM webhook_deliveries");
  }

  /** What has to be sent now, at most `limit`, the longest due first. */
  due(now: number, limit: number): Delivery[] {
    const { disabled_at, quiet_until } = this.#endpoint();
    if (disabled_at !== null || quiet_until > now) return [];
    return this.#sql
      .exec<{ id: string; body: string }>(
        "SELECT id, body FROM webhook_deliveries WHERE next_try_at <= ? ORDER BY next_try_at, sequence LIMIT ?",
        now,
        limit,
      )
      .toArray();
  }

  /** When `due` has something next, in epoch milliseconds; undefined when nothing waits or the endpoint is disabled. */
  nextDue(): number | undefined {
    const { disabled_at, quiet_until } = this.#endpoint();
    if (disabled_at !== null) return undefined;
    const { next } = this.#sql
      .exec<{ next: number | null }>(
        "SELECT MIN(next_try_at) AS next FROM webhook_deliveries WHERE next_try_at IS NOT NULL",
      )
      .one();
    return next === null ? undefined : Math.max(next, quiet_until);
  }

  /** Notes how a try ended and when the next is due. `random` lies in [0, 1). An unknown id changes nothing. */
  record(id: string, result: DeliveryResult, now: number, random: number): void {
    const [row] = this.#sql.exec<{ tries: number }>("SELECT tries FROM webhook_deliveries WHERE id = ?", id);
    if (row === undefined) return;
    const tries = row.tries + 1;
    const wait = result.status === "retry" ? waitBeforeNextTry(tries, random, result.retryAfterMs) : undefined;
    const state: DeliveryState =
      result.status === "delivered" ? "delivered" : wait === undefined ? "failed" : "pending";
    this.#sql.exec(
      `UPDATE webhook_deliveries SET state = ?, attempts = attempts + 1, tries = ?, last_tried_at = ?,
         last_status = ?, last_detail = ?, next_try_at = ? WHERE id = ?`,
      state,
      tries,
      now,
      result.httpStatus ?? null,
      result.detail,
      wait === undefined ? null : now + wait,
      id,
    );
    if (result.status === "gone" || result.status === "refused") this.#disable(result.detail, now);
    if (result.retryAfterMs !== undefined) this.#keepQuiet(now + boundedRetryAfter(result.retryAfterMs));
  }

  /** Deliveries in the order of their events, at most `limit` of them behind the sequence number `after`. */
  log(after: number, limit: number): { deliveries: DeliveryRecord[]; next: number | undefined } {
    const rows = this.#sql
      .exec<LogRow>(
        `SELECT sequence, id, type, state, attempts, created_at, last_tried_at, last_status, last_detail, next_try_at
         FROM webhook_deliveries WHERE sequence > ? ORDER BY sequence LIMIT ?`,
        after,
        limit + 1,
      )
      .toArray();
    const page = rows.slice(0, limit);
    return { deliveries: page.map(toRecord), next: rows.length > limit ? page.at(-1)!.sequence : undefined };
  }

  /**
   * Makes a delivery due again, whatever became of it, with all its tries; says whether there is one. A disabled
   * endpoint is enabled by it, since somebody has looked, and what waited meanwhile goes out too.
   */
  resend(id: string, now: number): boolean {
    const found =
      this.#sql.exec(
        "UPDATE webhook_deliveries SET state = 'pending', tries = 0, next_try_at = ? WHERE id = ?",
        now,
        id,
      ).rowsWritten > 0;
    if (found) this.#sql.exec("UPDATE webhook_endpoint SET disabled_reason = NULL, disabled_at = NULL");
    return found;
  }

  disabled(): Disabled | undefined {
    const { disabled_reason, disabled_at } = this.#endpoint();
    return disabled_reason === null || disabled_at === null ? undefined : { reason: disabled_reason, at: disabled_at };
  }

  #disable(reason: string, now: number): void {
    this.#sql.exec("UPDATE webhook_endpoint SET disabled_reason = ?, disabled_at = ?", reason, now);
  }

  /** What one answer asks for holds for the endpoint: the other events do not go there meanwhile either. */
  #keepQuiet(until: number): void {
    this.#sql.exec("UPDATE webhook_endpoint SET quiet_until = MAX(quiet_until, ?)", until);
  }

  #endpoint(): EndpointRow {
    return this.#sql.exec<EndpointRow>("SELECT disabled_reason, disabled_at, quiet_until FROM webhook_endpoint").one();
  }
}

interface EndpointRow extends Record<string, SqlStorageValue> {
  disabled_reason: string | null;
  disabled_at: number | null;
  quiet_until: number;
}

interface LogRow extends Record<string, SqlStorageValue> {
  sequence: number;
  id: string;
  type: WebhookEvent["type"];
  state: DeliveryState;
  attempts: number;
  created_at: number;
  last_tried_at: number | null;
  last_status: number | null;
  last_detail: string | null;
  next_try_at: number | null;
}

function toRecord(row: LogRow): DeliveryRecord {
  return {
    sequence: row.sequence,
    id: row.id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    ...(row.last_tried_at === null ? {} : { lastTriedAt: row.last_tried_at }),
    ...(row.last_status === null ? {} : { lastStatus: row.last_status }),
    ...(row.last_detail === null ? {} : { lastDetail: row.last_detail }),
    ...(row.next_try_at === null ? {} : { nextTryAt: row.next_try_at }),
  };
}
