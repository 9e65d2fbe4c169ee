import { DurableObject } from "cloudflare:workers";
import pMap from "p-map";
import {
  retryDelayMs,
  type RowItem,
  type RowReport,
  type RowStatus,
  withChoice,
  withDrift,
  withReport,
} from "../src/batches/rows.ts";
import { BatchEvents, type BatchEvent } from "./batch-events.ts";
import { BatchMail } from "./batch-mail.ts";
import type { BatchMeta, BatchSpec, BatchView, PatchRefusal } from "./batch-record.ts";
import { BatchRows, type Claim, type StoredRow } from "./batch-rows.ts";
import { driftOf } from "./row-drift.ts";
import type { System } from "./system.ts";
import { allEnded, within } from "./waiting.ts";
import type { DeliveryRecord, Disabled } from "./webhook-outbox.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** A runner that says nothing for so long is taken for dead, whatever its lease says. */
const RUNNER_MS = 150_000;
/** When a run that died is taken up again; one that lives sets its own time at its end. */
const RESCUE_MS = 2_000;
/** No row is begun later than this in one alarm; the next alarm goes on. */
const DISPATCH_MS = 45_000;
/** Each look at a `Sourced` row is two calls, and the calls of one alarm are counted. */
const CHECKS_PER_ALARM = 200;
const CHECKS_AT_ONCE = 6;

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
    this.ctx.storage.transactionSync(() => {
      this.#rows.insert(items);
      this.#setMeta({ spec, createdAt: now, state: "running", checkFrom: -1, open: true });
      this.#rows.queue(["Pending", "Failed"], now);
    });
    await this.ctx.storage.setAlarm(now);
  }

  /** Runs `Pending` and `Failed` rows again. False when the batch was cancelled. */
  async run(): Promise<boolean> {
    const meta = this.#known();
    if (meta.state === "cancelled") return false;
    const now = this.system.clock.now();
    this.#setMeta({ ...meta, state: "running", checkFrom: -1, open: true });
    this.#rows.queue(["Pending", "Failed"], now);
    await this.ctx.storage.setAlarm(now);
    return true;
  }

  /** Begins no further row; those that run are let end. */
  async cancel(): Promise<void> {
    const meta = this.#known();
    if (meta.state === "cancelled") return;
    this.#setMeta({ ...meta, state: "cancelled", checkFrom: undefined, open: true });
    this.#unqueue();
    this.#endRun();
    await this.#arm();
  }

  /** No row is tried again, so what was to be told at the end of its tries is told now. */
  #unqueue(): void {
    for (const { item, attempt } of this.#rows.unqueue()) {
      this.#mail.rowChanged(this.#known().spec, item, item.status, attempt, this.system.clock.now());
    }
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

  /** `open` as long as there will be more. */
  events(after: number, limit: number): { events: BatchEvent[]; open: boolean } {
    // One that was erased has nothing more to tell.
    return { events: this.#events.after(after, limit), open: this.#meta()?.open ?? false };
  }

  /** Replaces a row that is not running, already validated; `changed` when it is no longer what `before` says. */
  patch(filename: string, before: RowItem, item: RowItem): PatchRefusal | undefined {
    if (this.#known().state === "cancelled") return "cancelled";
    const row = this.#rows.get(filename);
    if (row === undefined) return "no-row";
    if (row.running) return "running";
    if (!this.#rows.isStill(row.position, before)) return "changed";
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
    this.#mail.rowChanged(this.#known().spec, item, row.item.status, row.attempt, this.system.clock.now());
    await this.#arm();
  }

  /**
   * A person has asked for another page of a row's candidates: the row is what a run of that page would have made of it.
   * False, and nothing changed, when it runs, has its image, or is no longer what `before` says.
   */
  async showPage(before: RowItem, report: RowReport): Promise<boolean> {
    const { spec } = this.#known();
    const links = await this.#mail.linksOf(spec, before.filename, report, this.system.clock.now());
    const row = this.#rows.get(before.filename);
    // Whoever looks further when an image is there has not given it up.
    if (row === undefined || row.running || before.status === "Sourced" || !this.#rows.isStill(row.position, before)) {
      return false;
    }
    const item = withReport(before, report);
    this.#rows.put(row.position, item, undefined);
    this.#tellRow(item, before.status);
    const end = { item, report, previous: before.status, attempt: row.attempt, links };
    this.#mail.rowEnded(spec, end, this.system.clock.now());
    await this.#arm();
    return true;
  }

  /** Forgets everything, as if the batch had never been; whoever works on a row reports to nobody. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    this.ctx.storage.transactionSync(() => {
      this.ctx.storage.kv.delete("meta");
      this.#rows.clear();
      this.#events.clear();
      this.#mail.outbox.clear();
    });
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
      if (this.#meta() === undefined) return this.ctx.storage.deleteAlarm();
      console.error(JSON.stringify({ level: "error", batch: this.#meta()?.spec.id, error: String(error) }));
      // What fails at once would fail as fast as alarms can come.
      await this.ctx.storage.setAlarm(this.system.clock.now() + RESCUE_MS);
      return;
    }
    await this.#arm();
  }

  async #work(until: number): Promise<void> {
    const meta = this.#meta();
    if (meta === undefined) return;
    for (const claim of this.#rows.takeBack(this.system.clock.now())) this.#poisoned(claim);
    // What was taken back is due again, and a cancelled batch would wake for it without end.
    if (meta.state === "cancelled") this.#unqueue();
    if (meta.checkFrom !== undefined) {
      await this.#check(meta.spec, meta.checkFrom);
      if (this.#known().checkFrom !== undefined) return;
    }
    // Leases do not say whether a slot works: those of a process that was killed are still there.
    let working = true;
    const slots = Array.from({ length: meta.spec.options.concurrency }, () => this.#slot(until));
    const ended = allEnded(slots).finally(() => (working = false));
    await allEnded([ended, this.#mail.send(meta.spec, until, this.system, () => working)]).finally(() =>
      this.#endRun(),
    );
    await this.#mail.send(meta.spec, until, this.system, () => false);
  }

  /** Rows that claim to be `Sourced` and are not go through the run like any other. */
  async #check({ identity }: BatchMeta["spec"], from: number): Promise<void> {
    const rows = this.#rows.withStatus("Sourced", from, CHECKS_PER_ALARM);
    const drifts = await pMap(rows, ({ item }) => driftOf(item, identity, this.env), { concurrency: CHECKS_AT_ONCE });
    const meta = this.#known();
    if (meta.state !== "running") return;
    for (const [index, { position, item: before }] of rows.entries()) {
      const drift = drifts[index];
      // Who has changed the row in the meantime knows better.
      if (drift === undefined || !this.#rows.isStill(position, before)) continue;
      const item = withDrift(before, drift);
      this.#rows.put(position, item, this.system.clock.now());
      this.#tellRow(item, "Sourced");
    }
    this.#setMeta({ ...meta, checkFrom: rows.length < CHECKS_PER_ALARM ? undefined : rows.at(-1)?.position });
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
        crashes: claim.crashes,
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
    const { spec } = this.#known();
    const { filename } = claim.item;
    const links = await this.#mail.linksOf(spec, filename, report, this.system.clock.now());
    const item = withReport(claim.item, report);
    const delay =
      "transient" in report && report.transient ? retryDelayMs(claim.tries + 1, this.system.random()) : undefined;
    const cancelled = this.#known().state === "cancelled";
    const dueAt = delay === undefined || cancelled ? undefined : this.system.clock.now() + delay;
    if (!this.#rows.finish(claim, item, report.attempts, dueAt)) return;
    this.#tellRow(item, claim.previousStatus, dueAt);
    if (dueAt !== undefined) return;
    const { previousStatus: previous, attempt } = claim;
    this.#mail.rowEnded(spec, { item, report, previous, attempt, links }, this.system.clock.now());
  }

  #poisoned(claim: Claim): void {
    const report: RowReport = {
      status: "Failed",
      error: "The row ended its runner three times without a result. Change it, then run the batch again.",
      transient: false,
      attempts: [],
    };
    const item = withReport(claim.item, report);
    this.#rows.put(claim.position, item, undefined);
    this.#tellRow(item, claim.previousStatus);
    const { previousStatus: previous, attempt } = claim;
    this.#mail.rowEnded(this.#known().spec, { item, report, previous, attempt, links: {} }, this.system.clock.now());
  }

  /** Tells the end, once, when nothing runs and nothing waits to run. */
  #endRun(): void {
    const meta = this.#known();
    if (!meta.open || meta.checkFrom !== undefined || this.#rows.nextDue() !== undefined) return;
    const state = meta.state === "cancelled" ? "cancelled" : "idle";
    this.#setMeta({ ...meta, state, open: false });
    const counts = this.#rows.counts();
    this.#events.add("done", { state, counts });
    if (state === "idle") this.#mail.completed(meta.spec, counts, this.system.clock.now());
  }

  #tellRow(item: RowItem, previous: RowStatus, retryAt?: number): void {
    this.#events.row(item, previous, retryAt);
    this.#events.add("progress", { counts: this.#rows.counts() });
  }

  async #arm(): Promise<void> {
    const meta = this.#meta();
    if (meta === undefined) return;
    const due = this.#rows.nextDue();
    // Without a row to wake for there may still be files to check, and the end to tell.
    const unended = meta.open && (due === undefined || meta.checkFrom !== undefined) ? 0 : undefined;
    const next = [due, this.#mail.nextDue(meta.spec), unended].filter((at) => at !== undefined);
    if (next.length === 0) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(this.system.clock.now(), Math.min(...next)));
  }

  #meta(): BatchMeta | undefined {
    return this.ctx.storage.kv.get<BatchMeta>("meta");
  }

  #known(): BatchMeta {
    const meta = this.#meta();
    if (meta === undefined) throw new Error("There is no such batch.");
    return meta;
  }

  #setMeta(meta: BatchMeta): void {
    this.ctx.storage.kv.put("meta", meta);
  }
}
