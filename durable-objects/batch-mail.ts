import type { RowItem, RowReport, RowStatus } from "../src/batches/rows.ts";
import { type Config, configOf } from "../src/config.ts";
import { Door } from "../src/egress/door.ts";
import { objectKey } from "../src/storage/objects.ts";
import { reviewResource } from "../src/storage/link-resources.ts";
import { linkPath } from "../src/storage/public-link.ts";
import { deliver, type Endpoint } from "../src/webhooks/deliver.ts";
import type { NeedsSelection, WebhookEvent } from "../src/webhooks/events.ts";
import type { BatchSpec } from "./batch-record.ts";
import type { System } from "./system.ts";
import { WebhookOutbox } from "./webhook-outbox.ts";

type Spec = Omit<BatchSpec, "items">;

/** Rows that run in the same batch need connections too. */
const AT_ONCE = 3;
const LINK_SECONDS = 7 * 24 * 60 * 60;

/** What a selection is looked at and made by. Empty in a deployment that cannot sign links. */
export type SelectionLinks = Pick<NeedsSelection, "review_sheet_url" | "review_url">;

/** How a row came to its end. */
export interface RowEnd {
  readonly item: RowItem;
  readonly report: RowReport;
  readonly previous: RowStatus;
  readonly attempt: number;
  /** Of `linksOf`. */
  readonly links: SelectionLinks;
}

/** What a batch tells its webhook: events go into the outbox in the batch's own transaction, and out in its alarm. */
export class BatchMail {
  readonly outbox: WebhookOutbox;
  readonly #config: Config;

  constructor(sql: SqlStorage, env: Env) {
    this.outbox = new WebhookOutbox(sql);
    this.#config = configOf(env);
  }

  /** A row has come to its end for this run, or a person has shown another page of it. */
  rowEnded(spec: Spec, { item, report, previous, attempt, links }: RowEnd, now: number): void {
    this.rowChanged(spec, item, previous, attempt, now);
    if (report.status !== "Needs-Selection") return;
    this.#enqueue(spec, now, {
      type: "batch.needs_selection",
      data: {
        ...facts(spec, item),
        candidates: report.candidates,
        ...links,
        candidate_page: report.candidatePage,
        candidate_total: report.candidateTotal,
        next_candidate_page: report.nextCandidatePage,
      },
    });
  }

  rowChanged(spec: Spec, item: RowItem, previous: RowStatus, attempt: number, now: number): void {
    const text = (field: string) => (typeof item[field] === "string" ? { [field]: item[field] } : {});
    this.#enqueue(spec, now, {
      type: "batch.row.changed",
      data: {
        ...facts(spec, item),
        status: item.status,
        previous_status: previous,
        attempt,
        ...text("sourced_from"),
        ...text("license_tier"),
        ...text("last_error"),
      },
    });
  }

  completed(spec: Spec, counts: Readonly<Record<RowStatus, number>>, now: number): void {
    this.#enqueue(spec, now, {
      type: "batch.completed",
      data: { batch: spec.id, project: spec.identity.project, counts },
    });
  }

  /** Sends what is due, and goes on while `more` says that there may be more soon. */
  async send(spec: Spec, until: number, { clock, random }: System, more: () => boolean): Promise<void> {
    const endpoint = this.#endpoint(spec);
    if (endpoint === undefined) return;
    const door = new Door(this.#config.egress, clock);
    do {
      const due = this.outbox.due(clock.now(), AT_ONCE);
      if (due.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        continue;
      }
      const signal = AbortSignal.timeout(30_000);
      const results = await Promise.all(due.map((delivery) => deliver(door, endpoint, delivery, clock, signal)));
      for (const [index, result] of results.entries()) {
        this.outbox.record(due[index]!.id, result, clock.now(), random());
      }
    } while (more() && clock.now() < until);
  }

  /** When something is to be sent next; undefined where nobody listens. Epoch milliseconds. */
  nextDue(spec: Spec): number | undefined {
    return this.#endpoint(spec) === undefined ? undefined : this.outbox.nextDue();
  }

  #enqueue(spec: Spec, now: number, event: WebhookEvent): void {
    if (this.#endpoint(spec) !== undefined) this.outbox.enqueue(event, crypto.randomUUID().replaceAll("-", ""), now);
  }

  /** The batch's own, else the tenant's. */
  #endpoint({ identity, options }: Spec): Endpoint | undefined {
    const settings = this.#config.webhooks[identity.tenant];
    const secrets = settings?.secrets ?? [];
    if (options.webhook !== undefined) {
      const { url, secret } = options.webhook;
      return { url, secrets: secret === undefined ? secrets : [secret] };
    }
    return settings?.url === undefined ? undefined : { url: settings.url, secrets };
  }

  /**
   * Links that open the sheet and the review page of a `Needs-Selection` report without a key. Made before anything is
   * written, since signing waits, and a row's end and its events must be one transaction.
   */
  async linksOf({ identity }: Spec, filename: string, report: RowReport, now: number): Promise<SelectionLinks> {
    const { publicUrl } = this.#config;
    if (report.status !== "Needs-Selection" || publicUrl === undefined) return {};
    const { tenant, project } = identity;
    const expires = Math.floor(now / 1000) + LINK_SECONDS;
    const sheet = { tenant, resource: objectKey(tenant, report.sheetSha256), actions: ["read" as const], expires };
    const review = {
      tenant,
      resource: reviewResource({ project, filename }),
      actions: ["read" as const, "promote" as const, "page" as const],
      expires,
    };
    const sheetPath = await linkPath("s", sheet, "review_sheet.jpg", this.#config);
    const reviewPath = await linkPath("review", review, undefined, this.#config);
    if (sheetPath === undefined || reviewPath === undefined) return {};
    return { review_sheet_url: `${publicUrl}${sheetPath}`, review_url: `${publicUrl}${reviewPath}` };
  }
}

function facts({ id, identity }: Spec, item: RowItem): { batch: string; project: string; filename: string } {
  return { batch: id, project: identity.project, filename: item.filename };
}
