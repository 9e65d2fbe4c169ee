import { DurableObject } from "cloudflare:workers";
import {
  retryDelayMs,
  type RowItem,
  type RowReport,
  type RowStatus,
  withChoice,
  withDrift,
  withReport,
} from "../src/batches/rows.ts";
import type { BatchOptions } from "../src/batches/submission.ts";
import { BatchEvents, type BatchEvent } from "./batch-events.ts";
import { BatchMail } from "./batch-mail.ts";
import { BatchRows, type Claim, type StoredRow } from "./batch-rows.ts";
import type { ProjectIdentity } from "./project.ts";
import { driftOf } from "./row-drift.ts";
import type { System } from "./system.ts";
import type { DeliveryRecord, Disabled } from "./webhook-outbox.ts";

/** What a batch is made of, once and for all. */
export interface BatchSpec {
  readonly id: string;
  readonly identity: ProjectIdentity;
  readonly items: readonly RowItem[];
  readonly options: BatchOptions;
  /** Members of `image_queries.json` beside `items`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export type BatchState = "running" | "idle" | "cancelled";

export interface BatchView {
  readonly id: string;
  readonly state: BatchState;
  readonly createdAt: number;
  readonly options: Omit<BatchOptions, "webhook">;
  readonly counts: Readonly<Record<RowStatus, number>>;
  readonly rows: readonly StoredRow[];
  /** Position behind which the next page begins. */
  readonly next: number | undefined;
}

/** Why a row was not changed. */
export type PatchRefusal = "no-row" | "running" | "cancelled";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** A runner that says nothing for so long is taken for dead, whatever its lease says. */
const RUNNER_MS = 150_000;
/** When a run that died is taken up again; one that lives sets its own time at its end. */
const RESCUE_MS = 2_000;
/** No row is begun later than this in one alarm; the next alarm goes on. */
const DISPATCH_MS = 45_000;

interface Meta {
  readonly spec: Omit<BatchSpec, "items">;
  readonly createdAt: number;
  readonly state: BatchState;
  /** `Sourced` rows are checked before the run begins. */
  readonly unchecked: boolean;
}

/**
 * One batch: its rows, who works on them, who watches, and what is still to be told. It runs itself by its alarm: slots
 * claim rows, the stateless RowRunner works, reports come back. Whatever dies on the way is found by its lease.
 */
export abstract class BatchBase extends DurableObject<Env> {
  protected abstract readonly system: System;
  readonly #rows: BatchRows;
  readonly #events: BatchEvents;
  readonly #mail: BatchMail;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#rows = new BatchRows(state.storage.sql);
    this.#events = new BatchEvents(state.storage.sql);
    this.#mail = new BatchMail(state.storage.sql, env);
  }

  /** Takes the batch up and starts it. Called once; a repetition changes nothing. */
  async create({ items, ...spec }: BatchSpec): Promise<void> {
    if (this.#meta() !== undefined) return;
    const now = this.system.clock.now();
    this.#rows.insert(items);
    this.#setMeta({ spec, createdAt: now, state: "running", unchecked: true });
    this.#rows.queue(["Pending", "Failed"], now);
    await this.ctx.storage.setAlarm(now);
  }

  /** Runs `Pending` and `Failed` rows again. False when the batch was cancelled. */
  async run(): Promise<boolean> {
    const meta = this.#known();
    if (meta.state === "cancelled") return false;
    const now = this.system.clock.now();
    this.#setMeta({ ...meta, state: "running", unchecked: true });
    this.#rows.queue(["Pending", "Failed"], now);
    await this.ctx.storage.setAlarm(now);
    return true;
  }

  /** Begins no further row; those that run are let end. */
  cancel(): void {
    const meta = this.#known();
    if (meta.state === "cancelled") return;
    this.#rows.unqueue();
    this.#setMeta({ ...meta, state: "cancelled" });
    this.#events.add("done", { state: "cancelled", counts: this.#rows.counts() });
  }

  /** Undefined when there is no such batch. */
  view(after: number, limit: number): BatchView | undefined {
    const meta = this.#meta();
    if (meta === undefined) return undefined;
    const { webhook: _, ...options } = meta.spec.options;
    const { rows, next } = this.#rows.page(after, limit);
    return {
      id: meta.spec.id,
      state: meta.state,
      createdAt: meta.createdAt,
      options,
      counts: this.#rows.counts(),
      rows,
      next,
    };
  }

  row(filename: string): StoredRow | undefined {
    return this.#rows.get(filename);
  }

  /** All items, as they stand now. */
  items(): RowItem[] {
    return this.#rows.all();
  }

  /** `image_queries.json` as it stands now. */
  queries(): string {
    const { extra } = this.#known().spec;
    return `${JSON.stringify({ ...extra, items: this.#rows.all() }, null, 2)}\n`;
  }

  events(after: number, limit: number): { events: BatchEvent[]; state: BatchState } {
    return { events: this.#events.after(after, limit), state: this.#known().state };
  }

  /** Replaces a row that is not running, already validated. */
  patch(filename: string, item: RowItem): PatchRefusal | undefined {
    if (this.#known().state === "cancelled") return "cancelled";
    const row = this.#rows.get(filename);
    if (row === undefined) return "no-row";
    if (row.running) return "running";
    this.#rows.put(row.position, item, undefined);
    this.#tellRow(item, row.item.status);
    return undefined;
  }

  /** A person's choice is stored under a row's filename: the row is `Sourced`, whatever it was. */
  async reconcile(filename: string, sourcedFrom: string, licenseTier: string): Promise<void> {
    const row = this.#rows.get(filename);
    if (row === undefined) return;
    const item = withChoice(row.item, sourcedFrom, licenseTier);
    this.#rows.put(row.position, item, undefined);
    this.#tellRow(item, row.item.status);
    await this.#mail.rowChanged(this.#known().spec, item, row.item.status, 0, this.system.clock.now());
    await this.#arm();
  }

  deliveries(
    after: number,
    limit: number,
  ): { deliveries: DeliveryRecord[]; next: number | undefined; disabled: Disabled | undefined } {
    return { ...this.#mail.outbox.log(after, limit), disabled: this.#mail.outbox.disabled() };
  }

  async resend(id: string): Promise<boolean> {
    const found = this.#mail.outbox.resend(id, this.system.clock.now());
    if (found) await this.#arm();
    return found;
  }

  override async alarm(): Promise<void> {
    const now = this.system.clock.now();
    // First of all: should this run die, another one comes.
    await this.ctx.storage.setAlarm(now + RESCUE_MS);
    try {
      await this.#work(now + DISPATCH_MS);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", batch: this.#meta()?.spec.id, error: String(error) }));
    }
    await this.#arm();
  }

  async #work(until: number): Promise<void> {
    const meta = this.#meta();
    if (meta === undefined) return;
    for (const claim of this.#rows.takeBack(this.system.clock.now())) await this.#poisoned(claim);
    if (meta.state === "running" && meta.unchecked) await this.#check(meta);
    // Leases do not say whether a slot works: those of a process that was killed are still there.
    let working = true;
    const slots = Promise.all(Array.from({ length: meta.spec.options.concurrency }, () => this.#slot(until)));
    const ended = slots.finally(() => (working = false));
    await Promise.all([ended, this.#mail.send(meta.spec, until, this.system, () => working)]);
    await this.#endRun();
    await this.#mail.send(meta.spec, until, this.system, () => false);
  }

  /** Rows that claim to be `Sourced` and are not go through the run like any other. */
  async #check(meta: Meta): Promise<void> {
    for (const row of this.#rows.withStatus("Sourced")) {
      const drift = await driftOf(row.item, meta.spec.identity, this.env);
      if (drift === undefined) continue;
      const item = withDrift(row.item, drift);
      this.#rows.put(row.position, item, this.system.clock.now());
      this.#tellRow(item, "Sourced");
    }
    this.#setMeta({ ...this.#known(), unchecked: false });
  }

  async #slot(until: number): Promise<void> {
    while (this.system.clock.now() < until && this.#known().state === "running") {
      const now = this.system.clock.now();
      const claim = this.#rows.claim(now, now + LEASE_MS);
      if (claim === undefined) return;
      await this.#runClaim(claim);
    }
  }

  async #runClaim(claim: Claim): Promise<void> {
    const { spec } = this.#known();
    const renewal = setInterval(() => this.#rows.renew(claim, this.system.clock.now() + LEASE_MS), RENEW_MS);
    let report: RowReport | undefined;
    try {
      const work = this.ctx.exports.RowRunner.run({
        identity: spec.identity,
        item: claim.item,
        options: { save_candidates: spec.options.save_candidates, max_candidates: spec.options.max_candidates },
        fence: { batch: spec.id, attempt: claim.attempt },
      });
      report = await within(work as Promise<RowReport>, RUNNER_MS);
    } catch (error) {
      console.error(JSON.stringify({ level: "error", batch: spec.id, row: claim.item.filename, error: String(error) }));
    } finally {
      clearInterval(renewal);
    }
    // A runner that died is found like one whose whole process died: by a lease that has ended.
    if (report === undefined) this.#rows.renew(claim, this.system.clock.now());
    else await this.#finish(claim, report);
  }

  async #finish(claim: Claim, report: RowReport): Promise<void> {
    const item = withReport(claim.item, report, claim.previousStatus);
    const delay =
      "transient" in report && report.transient ? retryDelayMs(claim.tries + 1, this.system.random()) : undefined;
    const cancelled = this.#known().state === "cancelled";
    const dueAt = delay === undefined || cancelled ? undefined : this.system.clock.now() + delay;
    if (!this.#rows.finish(claim, item, report.attempts, dueAt)) return;
    this.#tellRow(item, claim.previousStatus, dueAt);
    if (dueAt === undefined)
      await this.#mail.rowEnded(this.#known().spec, item, report, claim, this.system.clock.now());
  }

  async #poisoned(claim: Claim): Promise<void> {
    const report: RowReport = {
      status: "Failed",
      error: "The row ended its runner three times without a result. Change it, then run the batch again.",
      transient: false,
      attempts: [],
    };
    const item = withReport(claim.item, report, claim.previousStatus);
    this.#rows.put(claim.position, item, undefined);
    this.#tellRow(item, claim.previousStatus);
    await this.#mail.rowEnded(this.#known().spec, item, report, claim, this.system.clock.now());
  }

  async #endRun(): Promise<void> {
    const meta = this.#known();
    if (meta.state !== "running" || this.#rows.nextDue() !== undefined) return;
    this.#setMeta({ ...meta, state: "idle" });
    const counts = this.#rows.counts();
    this.#events.add("done", { state: "idle", counts });
    await this.#mail.completed(meta.spec, counts, this.system.clock.now());
  }

  #tellRow(item: RowItem, previous: RowStatus, retryAt?: number): void {
    this.#events.add("row", {
      filename: item.filename,
      status: item.status,
      previous_status: previous,
      ...(typeof item["last_error"] === "string" ? { last_error: item["last_error"] } : {}),
      ...(retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() }),
    });
    this.#events.add("progress", { counts: this.#rows.counts() });
  }

  async #arm(): Promise<void> {
    const spec = this.#meta()?.spec;
    if (spec === undefined) return;
    const next = [this.#rows.nextDue(), this.#mail.nextDue(spec)].filter((at) => at !== undefined);
    if (next.length === 0) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(this.system.clock.now(), Math.min(...next)));
  }

  #meta(): Meta | undefined {
    return this.ctx.storage.kv.get<Meta>("meta");
  }

  #known(): Meta {
    const meta = this.#meta();
    if (meta === undefined) throw new Error("There is no such batch.");
    return meta;
  }

  #setMeta(meta: Meta): void {
    this.ctx.storage.kv.put("meta", meta);
  }
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the runner fell silent")), ms);
  });
  // Timers that were left to run out would hold every row of the last minutes in memory.
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
