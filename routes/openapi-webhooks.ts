import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { ROW_STATUSES } from "../src/batches/rows.ts";
import type { WebhookEvent } from "../src/webhooks/events.ts";
import type { AppEnv } from "./context.ts";
import { NO_KEY } from "./schemas.ts";

type DataOf<T extends WebhookEvent["type"]> = Extract<WebhookEvent, { type: T }>["data"];

/** Headers of Standard Webhooks, out and in. */
export const webhookHeaders = z.object({
  "webhook-id": z.string().openapi({ description: "The event; the same at every try", example: "msg_1" }),
  "webhook-timestamp": z.string().openapi({ description: "Unix seconds of this try", example: "1793694600" }),
  "webhook-signature": z.string().openapi({
    description: "One or more of `v1,<base64>`, separated by spaces: HMAC-SHA-256 of `id.timestamp.body`",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
});

const row = { batch: z.string(), project: z.string(), filename: z.string() };
const status = z.enum(ROW_STATUSES);
export const countsSchema = z.record(status, z.int());

const rowChanged = z.object({
  ...row,
  status,
  previous_status: status,
  attempt: z.int(),
  sourced_from: z.string().optional(),
  license_tier: z.string().optional(),
  last_error: z.string().optional(),
}) satisfies z.ZodType<DataOf<"batch.row.changed">>;

const needsSelection = z.object({
  ...row,
  candidates: z.array(
    z.object({
      rank: z.int().openapi({ description: "Its number on the sheet" }),
      filename: z.string().openapi({ description: "What `promote` takes" }),
      provider: z.string(),
      title: z.string(),
      source_page_url: z.string(),
      license_name: z.string(),
      license_tier: z.string(),
      width: z.int(),
      height: z.int(),
      missing_required_terms: z.array(z.string()),
    }),
  ),
  review_sheet_url: z.url().optional().openapi({ description: "Opens the sheet without a key until it expires" }),
  review_url: z.url().optional().openapi({ description: "Opens the row's review page without a key, likewise" }),
  candidate_page: z.int(),
  candidate_total: z.int(),
  next_candidate_page: z.int().nullable(),
});

const completed = z.object({ batch: z.string(), project: z.string(), counts: countsSchema });

const ROW = { batch: "b_1", project: "deck-7", filename: "alps.jpg" };

/** What Sluice sends to the URL of a batch or of its tenant. */
export function registerWebhooks(registry: OpenAPIHono<AppEnv>["openAPIRegistry"]): void {
  const send = <S extends z.ZodType>(type: WebhookEvent["type"], summary: string, data: S, example: z.input<S>) => {
    const schema = z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data });
    const sent = { type, timestamp: "2026-11-03T08:30:00.000Z", data: example };
    registry.registerWebhook({
      method: "post",
      path: type,
      operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll("_", ""),
      summary,
      tags: ["Webhooks"],
      security: NO_KEY,
      request: {
        headers: webhookHeaders,
        body: { required: true, content: { "application/json": { schema, example: sent } } },
      },
      responses: {
        "2XX": { description: "Delivered, when it comes within 15 seconds" },
        410: { description: "The endpoint is disabled: nothing more is sent, everything is kept" },
        default: { description: "Tried again: eight tries in about 28 hours" },
      },
    } as Parameters<typeof registry.registerWebhook>[0]);
  };
  send("batch.row.changed", "A row has another status", rowChanged, {
    ...ROW,
    status: "Sourced",
    previous_status: "Pending",
    attempt: 1,
    sourced_from: "wikimedia",
    license_tier: "attribution-required",
  });
  send("batch.needs_selection", "Previews of a row wait for a choice", needsSelection, {
    ...ROW,
    candidates: [],
    candidate_page: 1,
    candidate_total: 12,
    next_candidate_page: 2,
  });
  send("batch.completed", "No row is running or waiting to run", completed, {
    batch: ROW.batch,
    project: ROW.project,
    counts: { Pending: 0, Sourced: 1, Failed: 0, "Needs-Selection": 0, "Needs-Manual": 0 },
  });
}
