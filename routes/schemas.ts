import { z } from "@hono/zod-openapi";
import { PROBLEMS } from "./problems.ts";

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
    hedged: z.literal(true).optional().openapi({ description: "Asked beside a provider that was slow, not behind it" }),
    kept: z.int(),
  })
  .openapi("Attempt");

export const problemSchema = z
  .object({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [string, ...string[]]),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
    attempts: z.array(attemptSchema).optional(),
  })
  .openapi("Problem");

/** The error answers of a route, for its OpenAPI description. Whatever needs a key is limited by it as well. */
export function problemAnswers(...statuses: number[]) {
  const all = statuses.includes(401) ? [...new Set([...statuses, 429])] : statuses;
  return Object.fromEntries(
    all.map((status) => [
      status,
      {
        description: Object.values(PROBLEMS)
          .filter((kind) => kind.status === status)
          .map((kind) => kind.title)
          .join("; "),
        content: { "application/problem+json": { schema: problemSchema } },
      },
    ]),
  );
}

/** One JSON answer of a route. */
export function json<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { "application/json": { schema } } };
}
