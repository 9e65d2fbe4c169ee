import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { searchImages } from "../src/web/images.ts";
import { imageSearchSchema } from "../src/web/request.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { attemptSchema, json, problemAnswers } from "./schemas.ts";

/** The first step may take 15 s; those behind it share what is left. */
const TIME_LIMIT_MS = 25_000;

const PATH = "/v1/image-search";

const imageRowSchema = z
  .object({
    title: z.string(),
    imageUrl: z.string(),
    thumbnailUrl: z.string().openapi({ description: "Empty where the provider gives none" }),
    width: z.int().optional(),
    height: z.int().optional(),
    link: z.string(),
    source: z.string(),
    license: z
      .object({
        tier: z.enum(["no-attribution", "attribution-required"]),
        name: z.string(),
        url: z.string(),
        spdx: z.string().optional(),
        evidence: z.object({
          name: z.string(),
          version: z.string().optional(),
          url: z.string(),
          readAt: z.string().optional(),
        }),
      })
      .optional()
      .openapi({ description: "With `license: cleared` only, as `author` and `credit`" }),
    author: z.string().optional(),
    credit: z.string().optional().openapi({ example: "© Jane Doe / Wikimedia / CC BY-SA 4.0" }),
  })
  .openapi("ImageResult");

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "imageSearch",
  summary: "Search images over the chain of providers: any, or only those whose license is cleared",
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: imageSearchSchema } } } },
  responses: {
    200: json(
      "What was found; `results` is empty when nothing was",
      z
        .object({
          results: z.array(imageRowSchema),
          provider: z.string().optional().openapi({ description: "The step that gave the results, as in `attempts`" }),
          engine: z.string().optional().openapi({ description: "Whose results these are, whichever was asked for" }),
          degraded: z.literal(true).optional().openapi({ description: "Nothing found, but not everyone answered" }),
          stale: z.literal(true).optional().openapi({ description: "Everyone failed: an older answer stood in" }),
          attempts: z.array(attemptSchema),
        })
        .openapi("ImageSearchAnswer"),
    ),
    ...problemAnswers(400, 401, 403, 413, 415, 502, 503),
  },
});

export function imageSearchRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const answer = await searchImages(c.req.valid("json"), await jobContext(c, TIME_LIMIT_MS));
    c.set("attempts", answer.attempts);
    return c.json({ ...answer, results: [...answer.results], attempts: [...answer.attempts] }, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}
