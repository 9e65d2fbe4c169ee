import { z } from "@hono/zod-openapi";

/** An `Attempt` as callers get it. */
export const attemptSchema = z
  .object({
    provider: z.string(),
    outcome: z.enum(["hit", "empty", "failed"]),
    class: z
      .enum(["auth", "quota", "rate", "timeout", "transient", "bad-request", "blocked", "malformed", "skipped"])
      .optional(),
    detail: z.string().optional(),
    status: z.int().optional(),
    retry_after_ms: z.int().optional(),
    ms: z.int(),
    cached: z.boolean(),
    hedged: z.literal(true).optional().describe("Asked beside a provider that was slow, not behind it"),
    kept: z.int(),
  })
  .openapi("Attempt");
