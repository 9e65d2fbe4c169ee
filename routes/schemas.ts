import { z } from "@hono/zod-openapi";
import type { Scope } from "../src/config.ts";
import { attemptSchema } from "../src/cascade/attempt-schema.ts";
import { PROBLEMS } from "./problems.ts";

export { attemptSchema };

const problemSchema = z
  .object({
    type: z.url().openapi({ description: "Leads to a page that says what to do" }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ description: "Stable" }),
    request_id: z.string(),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .openapi({ description: "Every fault, with the RFC 6901 pointer of its field" }),
    attempts: z
      .array(attemptSchema.extend({ step: z.string().optional() }))
      .optional()
      .openapi({ description: "What happened at each provider; `step` at `/v1/answer` only" }),
    rejected: z
      .record(z.string(), z.int())
      .optional()
      .openapi({ description: "Why candidates fell out, and how many" }),
    try: z.array(z.string()).optional().openapi({ description: "What could help" }),
    originals: z.array(z.record(z.string(), z.unknown())).optional(),
    unavailable: z.array(z.record(z.string(), z.unknown())).optional(),
    reason: z.string().optional(),
    existing: z.string().optional().openapi({ description: "The filename that stands in the way" }),
    candidate_total: z.int().optional(),
  })
  .openapi("Problem", { description: "RFC 9457" });

const problemOf = new Map<number, typeof problemSchema>();

/** The problem of one status, with the codes that have it. */
function problemWith(status: number): typeof problemSchema {
  const known = problemOf.get(status);
  if (known !== undefined) return known;
  const codes = kindsOf(status).map(([code]) => code);
  const schema = problemSchema
    .extend({ status: z.literal(status), code: z.enum(codes as [string, ...string[]]) })
    .openapi(`Problem${status}`, { description: "" }) as unknown as typeof problemSchema;
  problemOf.set(status, schema);
  return schema;
}

function kindsOf(status: number) {
  return Object.entries(PROBLEMS).filter(([, kind]) => kind.status === status);
}

/** What any route can answer: a fault of ours, and a setting that is wrong. */
const ALWAYS = [500, 503];
const RETRY_AFTER = { "Retry-After": { schema: { type: "integer" as const }, description: "Seconds" } };

/**
 * The error answers of a route, for its OpenAPI description. Whatever needs a key (401) is limited by it and by its
 * scopes as well; a body that is bounded in size (413) is bounded in time.
 */
export function problemAnswers(...statuses: number[]) {
  return problemAnswersWith({}, ...statuses);
}

/** The same, where a route's own contract adds members to every problem. */
export function problemAnswersWith(members: z.ZodRawShape, ...statuses: number[]) {
  const implied = [...(statuses.includes(401) ? [403, 429] : []), ...(statuses.includes(413) ? [408] : [])];
  const all = new Set([...statuses, ...implied, ...ALWAYS]);
  return Object.fromEntries(
    [...all].map((status) => [
      status,
      {
        description: kindsOf(status)
          .map(([, kind]) => kind.title)
          .join("; "),
        ...(status === 429 ? { headers: RETRY_AFTER } : {}),
        content: {
          "application/problem+json": {
            schema: Object.keys(members).length === 0 ? problemWith(status) : problemWith(status).extend(members),
          },
        },
      },
    ]),
  );
}

/** One JSON answer of a route. */
export function json<S extends z.ZodType>(description: string, schema: S, example?: z.input<S>) {
  return { description, content: { "application/json": example === undefined ? { schema } : { schema, example } } };
}

/** A JSON body that a route needs. */
export function jsonBody<S extends z.ZodType>(schema: S, example: z.input<S>) {
  return { required: true, content: { "application/json": { schema, example } } };
}

/** Any one of the three ways to give a key, and the scopes that it must have, all of them. */
export function keyWith(...scopes: readonly Scope[]): Record<string, string[]>[] {
  return ["bearer", "basic", "key"].map((scheme) => ({ [scheme]: [...scopes] }));
}

/** Of a route that anybody may call. */
export const NO_KEY: Record<string, string[]>[] = [];
