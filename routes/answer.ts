import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { answerQuestion } from "../src/answer/answer.ts";
import { ANSWER_FAILURE } from "../src/answer/body.ts";
import { answerRequestSchema } from "../src/answer/request.ts";
import type { ProblemCode } from "../src/errors.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { attemptSchema, json, problemAnswers } from "./schemas.ts";

const TIME_LIMIT_MS = 25_000;

const PATH = "/v1/answer";

const providerSchema = z.enum(["gemini", "tavily"]);

const answerSchema = z
  .object({
    provider: providerSchema,
    answer: z.string().nullable(),
    results: z.array(
      z.object({
        title: z.string(),
        url: z.string(),
        snippet: z.string(),
        redirect_url: z.string().optional().openapi({ description: "Google's redirect, behind which `url` was found" }),
      }),
    ),
    fallback: z.boolean(),
    used_web: z.boolean(),
    searched_with: z.enum(["gemini", "tavily", "none"]).openapi({ description: "For `_Searched with: …_`" }),
    untrusted: z.boolean().openapi({ description: "The texts come from the web" }),
    untrusted_note: z.string().nullable(),
    routing: z.object({
      classified_web: z.boolean().nullable().openapi({ description: "Null when the classifier did not answer" }),
      provider_selected: providerSchema,
      fallback_reason: z.string().nullable().openapi({ example: "gemini_quota" }),
    }),
    redacted: z.array(z.enum(["key", "email", "phone"])).openapi({ description: "Taken out of the query" }),
    search_queries: z.array(z.string()).optional(),
    search_suggestions: z.string().optional().openapi({ description: "Google's HTML, to be shown with the answer" }),
    attempts: z.array(attemptSchema.extend({ step: z.enum(["classify", "answer", "search"]) })),
  })
  .openapi("Answer");

const failureSchema = z
  .object({
    provider: z.literal("tavily"),
    answer: z.null(),
    results: z.array(z.never()),
    fallback: z.literal(true),
    error: z.literal("tavily_failed"),
  })
  .openapi("AnswerFailure");

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "answer",
  summary: "Answer a question: Gemini, grounded on the web where needed, else Tavily",
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: answerRequestSchema } } } },
  responses: {
    200: json("The answer; `results` are its sources", answerSchema),
    502: json("Both providers failed: `Server-Timing` says how", failureSchema),
    ...problemAnswers(400, 401, 403, 413, 415, 503),
  },
});

export function answerRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const answered = await answerQuestion(c.req.valid("json"), await jobContext(c, TIME_LIMIT_MS));
    if (answered.kind === "failure") {
      c.set("attempts", answered.attempts);
      return c.json({ ...ANSWER_FAILURE, results: [] }, 502);
    }
    c.set("attempts", answered.body.attempts);
    return c.json(answered.body as never, 200);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

/** The unified failure's members, for every problem that the endpoint answers. */
export function answerProblem(path: string, code: ProblemCode): Readonly<Record<string, unknown>> {
  if (path !== PATH && path !== `${PATH}/`) return {};
  // To the caller a deployment without keys is what one whose providers have both failed is.
  if (code === "no-provider") return ANSWER_FAILURE;
  return { provider: null, answer: null, results: [], fallback: false, error: code };
}
