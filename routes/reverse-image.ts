import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { JobContext } from "../src/context.ts";
import { reverseImage } from "../src/reverse/answer.ts";
import { type HostedImage, imageAt, imageIn } from "../src/reverse/hosted-image.ts";
import { hostImage } from "../src/reverse/hosting.ts";
import { reverseImageSchema } from "../src/reverse/request.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { attemptSchema, json, problemAnswers } from "./schemas.ts";

/** Up to three engines after one another; each may take 25 s at most. */
const TIME_LIMIT_MS = 50_000;

const PATH = "/v1/reverse-image";

const sourceSchema = z
  .object({
    title: z.string(),
    author: z.string(),
    url: z.string(),
    thumbnail: z.string().nullable(),
    similarity: z.number().nullable().openapi({ description: "0 to 100, where the engine measures it" }),
    source_engine: z.string().openapi({ example: "saucenao" }),
  })
  .openapi("ReverseImageSource");

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "reverseImage",
  summary: "Find where an image comes from, and images like it",
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: reverseImageSchema } } } },
  responses: {
    200: json(
      "What was found; both lists are empty when nothing was",
      z
        .object({
          sources: z.array(sourceSchema).openapi({ description: "Where the image itself is shown" }),
          similar: z.array(sourceSchema).openapi({ description: "Images like it, and matches that are not certain" }),
          knowledge: z.string().nullable(),
          summary: z.string().openapi({ description: "Markdown" }),
          degraded: z.literal(true).optional().openapi({ description: "Nothing found, but not everyone answered" }),
          stale: z.literal(true).optional().openapi({ description: "Everyone failed: an older answer stood in" }),
          attempts: z.array(attemptSchema),
        })
        .openapi("ReverseImageAnswer"),
    ),
    ...problemAnswers(400, 401, 403, 413, 415, 502, 503),
  },
});

export function reverseImageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const { image_url: url, image_data_url: dataUrl, ...options } = c.req.valid("json");
    const context = await jobContext(c, TIME_LIMIT_MS);
    const sent = dataUrl === undefined ? undefined : imageIn(dataUrl, () => hostForRequest(c, dataUrl, context));
    try {
      const answer = await reverseImage(sent ?? imageAt(url ?? ""), options, context);
      c.set("attempts", answer.attempts);
      return c.json(
        {
          ...answer,
          sources: [...answer.sources],
          similar: [...answer.similar],
          attempts: [...answer.attempts],
        },
        200,
      );
    } finally {
      if (sent !== undefined) c.executionCtx.waitUntil(sent.remove());
    }
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

/** Puts the image of a request where search engines can fetch it; whoever asks removes it. */
export function hostForRequest(c: Context<AppEnv>, dataUrl: string, context: JobContext): Promise<HostedImage> {
  return hostImage(dataUrl, {
    context,
    bucket: c.env.BUCKET,
    tenant: c.var.caller.tenant,
    newId: () => crypto.randomUUID(),
  });
}
