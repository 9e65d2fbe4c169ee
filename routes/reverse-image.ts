import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { JobContext } from "../src/context.ts";
import { reverseAnswerSchema } from "../src/reverse/answer-schema.ts";
import type { HostedImage } from "../src/reverse/hosted-image.ts";
import { type HostingOptions, hostImage } from "../src/reverse/hosting.ts";
import { reverseImageSchema } from "../src/reverse/request.ts";
import { searchByImage } from "../src/reverse/search-request.ts";
import { TIME_LIMITS_MS } from "../src/time-limits.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { REVERSE_ANSWER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const PATH = "/v1/reverse-image";

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "reverseImage",
  summary: "Find where an image comes from, and images like it",
  tags: ["Search"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: jsonBody(reverseImageSchema, { image_url: "https://example.org/picture.jpg", language: "en" }) },
  responses: {
    200: json("What was found; both lists are empty when nothing was", reverseAnswerSchema, REVERSE_ANSWER),
    ...problemAnswers(400, 401, 403, 413, 415, 502, 503),
  },
});

export function reverseImageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const context = await jobContext(c, TIME_LIMITS_MS.reverseImage);
    const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
    const answer = await searchByImage(c.req.valid("json"), { ...hostingFor(c, context), waitUntil });
    c.set("attempts", answer.attempts);
    const { sources, similar, attempts } = answer;
    return c.json({ ...answer, sources: [...sources], similar: [...similar], attempts: [...attempts] }, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

/** Puts the image of a request where search engines can fetch it; whoever asks removes it. */
export function hostForRequest(c: Context<AppEnv>, dataUrl: string, context: JobContext): Promise<HostedImage> {
  return hostImage(dataUrl, hostingFor(c, context));
}

export function hostingFor(c: Context<AppEnv>, context: JobContext): HostingOptions {
  return { context, bucket: c.env.BUCKET, tenant: c.var.caller.tenant, newId: () => crypto.randomUUID() };
}
