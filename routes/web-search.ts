import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { webSearchSchema } from "../src/web/request.ts";
import { searchWeb } from "../src/web/search.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { attemptSchema, json, problemAnswers } from "./schemas.ts";

/** The first step may take 15 s; those behind it share what is left. */
const TIME_LIMIT_MS = 25_000;

const PATH = "/v1/web-search";

export const webRowSchema = z
  .object({
    title: z.string(),
    link: z.string(),
    snippet: z.string(),
    position: z.int(),
    source: z.string(),
    date: z.string().optional(),
  })
  .openapi("WebResult");

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "webSearch",
  summary: "Search the web over the chain of providers",
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: webSearchSchema } } } },
  responses: {
    200: json(
      "What was found; `results` is empty when nothing was",
      z
        .object({
          results: z.array(webRowSchema),
          provider: z.string().optional().openapi({ description: "The step that gave the results, as in `attempts`" }),
          engine: z.string().optional().openapi({ description: "Whose results these are, whichever was asked for" }),
          degraded: z.literal(true).optional().openapi({ description: "Nothing found, but not everyone answered" }),
          stale: z.literal(true).optional().openapi({ description: "Everyone failed: an older answer stood in" }),
          attempts: z.array(attemptSchema),
        })
        .openapi("WebSearchAnswer"),
    ),
    ...problemAnswers(400, 401, 403, 413, 415, 502, 503),
  },
});

export function webSearchRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const answer = await searchWeb(c.req.valid("json"), await jobContext(c, TIME_LIMIT_MS));
    c.set("attempts", answer.attempts);
    return c.json({ ...answer, results: [...answer.results], attempts: [...answer.attempts] }, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}
