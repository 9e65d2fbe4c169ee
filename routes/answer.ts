import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { answerSchema } from "../src/answer/answer-schema.ts";
import { answerQuestion } from "../src/answer/answer.ts";
import { ANSWER_FAILURE } from "../src/answer/body.ts";
import { answerRequestSchema } from "../src/answer/request.ts";
import type { ProblemCode } from "../src/errors.ts";
import { TIME_LIMITS_MS } from "../src/time-limits.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { ANSWER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { json, jsonBody, keyWith, problemAnswersWith } from "./schemas.ts";

const PATH = "/v1/answer";

const failureSchema = z
  .object({
    provider: z.literal("tavily"),
    answer: z.null(),
    results: z.array(z.unknown()).max(0),
    fallback: z.literal(true),
    error: z.literal("tavily_failed"),
  })
  .openapi("AnswerFailure");

/** Of every problem; `tavily_failed` is what a deployment without keys answers too. */
const failureMembers = {
  provider: z.union([z.literal("tavily"), z.null()]),
  answer: z.null(),
  results: z.array(z.unknown()).max(0),
  fallback: z.boolean(),
  error: z.string(),
};

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "answer",
  summary: "Answer a question: Gemini, grounded on the web where needed, else Tavily",
  tags: ["Answers"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: { body: jsonBody(answerRequestSchema, { query: "Who won the last Champions League final?" }) },
  responses: {
    200: json("The answer; `results` are its sources", answerSchema, ANSWER),
    502: json("Both providers failed: `Server-Timing` says how", failureSchema),
    ...problemAnswersWith(failureMembers, 400, 401, 413, 415),
  },
});

export function answerRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const answered = await answerQuestion(c.req.valid("json"), await jobContext(c, TIME_LIMITS_MS.answer));
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
