import { z } from "@hono/zod-openapi";
import { attemptSchema } from "../cascade/attempt-schema.ts";
import { ROW_STATUSES } from "./rows.ts";

/** A batch as callers get it: its counts, and a page of its rows. */
export const batchSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    state: z.enum(["running", "idle", "cancelled"]),
    created_at: z.iso.datetime(),
    options: z.object({ save_candidates: z.boolean(), concurrency: z.int(), max_candidates: z.int() }),
    counts: z.record(z.enum(ROW_STATUSES), z.int()),
    rows: z.array(
      z.object({
        item: z.record(z.string(), z.unknown()).describe("As it stands in image_queries.json"),
        running: z.boolean(),
        attempts: z.array(attemptSchema),
      }),
    ),
    next: z.int().nullable(),
  })
  .openapi("Batch");
