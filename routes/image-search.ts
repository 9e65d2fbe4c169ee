import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { TIME_LIMITS_MS } from "../src/time-limits.ts";
import { imageAnswerSchema } from "../src/web/answer-schemas.ts";
import { searchImages } from "../src/web/images.ts";
import { imageSearchSchema } from "../src/web/request.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { IMAGE_ANSWER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const PATH = "/v1/image-search";

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "imageSearch",
  summary: "Search images over the chain of providers: any, or only those whose license is cleared",
  tags: ["Search"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: jsonBody(imageSearchSchema, { query: "french alpine landscape", license: "cleared" }) },
  responses: {
    200: json("What was found; `results` is empty when nothing was", imageAnswerSchema, IMAGE_ANSWER),
    ...problemAnswers(400, 401, 403, 413, 415, 502, 503),
  },
});

export function imageSearchRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const answer = await searchImages(c.req.valid("json"), await jobContext(c, TIME_LIMITS_MS.search));
    c.set("attempts", answer.attempts);
    return c.json({ ...answer, results: [...answer.results], attempts: [...answer.attempts] }, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}
