import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { BatchEvent } from "../durable-objects/batch-events.ts";
import type { StoredRow } from "../durable-objects/batch-rows.ts";
import type { BatchBase } from "../durable-objects/batch.ts";
import type { BatchSpec, BatchView, PatchRefusal } from "../durable-objects/batch-record.ts";
import { batchSchema } from "../src/batches/batch-schema.ts";
import type { RowItem, RowReport } from "../src/batches/rows.ts";
import { SluiceError } from "../src/errors.ts";
import type { AppEnv } from "./context.ts";
import type { Project } from "./projects.ts";

export { batchSchema };

/** What the routes call of a batch. Rows hold any JSON, which the platform's RPC types cannot say. */
export interface BatchClient {
  create(spec: BatchSpec): Promise<void>;
  run(): Promise<boolean>;
  cancel(): Promise<void>;
  view(after: number, limit: number): Promise<BatchView | undefined>;
  row(filename: string): Promise<StoredRow | undefined>;
  items(): Promise<RowItem[]>;
  queries(): Promise<string>;
  events(after: number, limit: number): Promise<{ events: BatchEvent[]; open: boolean }>;
  patch(filename: string, before: RowItem, item: RowItem): Promise<PatchRefusal | undefined>;
  reconcile(filename: string, sourcedFrom: string, licenseTier: string): Promise<void>;
  showPage(before: RowItem, report: RowReport): Promise<boolean>;
  erase(): Promise<void>;
  deliveries(after: number, limit: number): Promise<ReturnType<BatchBase["deliveries"]>>;
  resend(id: string): Promise<boolean>;
}

/** The batch object of the caller's own tenant and project; no other can be named. */
export function batchOf(c: Context<AppEnv>, { identity }: Project, id: string): BatchClient {
  return c.env.BATCHES.getByName(`${identity.tenant}/${identity.project}/${id}`) as unknown as BatchClient;
}

export function batchPath({ identity }: Project, id: string): string {
  return `/v1/projects/${identity.project}/batches/${id}`;
}

export function batchBody(project: Project, view: BatchView): z.infer<typeof batchSchema> {
  return {
    id: view.id,
    url: batchPath(project, view.id),
    state: view.state,
    created_at: new Date(view.createdAt).toISOString(),
    options: view.options,
    counts: view.counts,
    rows: view.rows.map(({ item, running, attempts }) => ({ item: { ...item }, running, attempts: [...attempts] })),
    next: view.next ?? null,
  };
}

export function noBatch(): SluiceError {
  return new SluiceError("not-found", "The project has no batch of this id.");
}
