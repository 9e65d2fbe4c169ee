import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { mirrorOf } from "../src/searchgen/mirror.ts";
import { searchRequestSchema } from "../src/searchgen/request.ts";
import { searchGen } from "../src/searchgen/search.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { SEARCHGEN_ANSWER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { attemptSchema, jsonBody, keyWith, problemAnswersWith } from "./schemas.ts";

/** The client gives up at 30 s and never asks again. */
const TIME_LIMIT_MS = 23_000;

const PATH = "/search";

const resultSchema = z.object({
  title: z.string(),
  link: z.string(),
  source: z.string(),
  position: z.int(),
  snippet: z.string().optional(),
  date: z.string().optional(),
  imageUrl: z.string().optional(),
  thumbnailUrl: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
});

const failureMembers = {
  success: z.literal(false),
  message: z.string(),
  results: z.array(z.unknown()).max(0),
};

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "searchGen",
  summary: "Web or image search by SearchGen's contract",
  tags: ["Search"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: jsonBody(searchRequestSchema, { search_type: "web", query: "french alpine landscape" }) },
  responses: {
    200: {
      description: "What was found; `results` is empty when nothing was",
      content: {
        "application/json": {
          schema: z
            .object({
              success: z.literal(true),
              results: z.array(resultSchema),
              provider: z.string().optional(),
              degraded: z.literal(true).optional(),
              stale: z.literal(true).optional(),
              attempts: z.array(attemptSchema),
            })
            .openapi("SearchGenAnswer"),
          example: SEARCHGEN_ANSWER,
        },
      },
    },
    ...problemAnswersWith(failureMembers, 400, 401, 413, 415, 502),
  },
});

export function searchGenRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const context = await jobContext(c, TIME_LIMIT_MS);
    const mirror = c.var.config.searchMirror ? mirrorOf(context, c.env.BUCKET, c.var.caller.tenant) : undefined;
    const answer = await searchGen(c.req.valid("json"), context, mirror);
    c.set("attempts", answer.attempts);
    return c.json(answer as never, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

/** SearchGen's own failure members, for every problem that its endpoint answers. */
export function searchGenFailure(path: string, detail: string): Readonly<Record<string, unknown>> {
  return path === PATH || path === `${PATH}/` ? { success: false, message: detail, results: [] } : {};
}
