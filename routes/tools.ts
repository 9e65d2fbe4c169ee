import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { wasWanted } from "../src/cascade/cascade.ts";
import { SluiceError } from "../src/errors.ts";
import { imageDataUrlField, imageUrlField, LANGUAGES } from "../src/reverse/request.ts";
import { toolById, toolRunner, TOOLS } from "../src/tools/registry.ts";
import type { ToolInput, ToolResult } from "../src/tools/types.ts";
import { countryField, localeField } from "../src/web/request.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { TOOL, TOOL_ANSWER } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { hostForRequest } from "./reverse-image.ts";
import { attemptSchema, json, jsonBody, keyWith, problemAnswers, problemAnswersWith } from "./schemas.ts";

/** Long enough for an image tool's engines one after another. */
const TIME_LIMIT_MS = 50_000;

const LIST_PATH = "/v1/tools";

const toolSchema = z
  .object({
    id: z.string(),
    label: z.string(),
    button: z.string().nullable().openapi({ description: "Id of its button in the chat page" }),
    needs: z.enum(["query", "image"]),
    asks: z.string(),
    answers: z.string(),
  })
  .openapi("Tool");

const listRoute = createRoute({
  method: "get",
  path: LIST_PATH,
  operationId: "listTools",
  summary: "The chat tools: what each needs, whom it asks and what it answers",
  tags: ["Chat"],
  security: keyWith("search"),
  middleware: [requireScope("search")] as const,
  responses: {
    200: json("All of them, in the order of the buttons", z.object({ tools: z.array(toolSchema) }), { tools: [TOOL] }),
    ...problemAnswers(401, 403),
  },
});

const callSchema = z
  .strictObject({
    query: z.string().max(2_000).default("").openapi({ example: "french alpine landscape" }),
    image_url: imageUrlField.optional(),
    image_data_url: imageDataUrlField.optional(),
    language: z.enum(LANGUAGES).default("vi").openapi({ description: "Of `markdown`" }),
    country: countryField.optional(),
    locale: localeField.optional(),
    num: z.int().min(1).max(20).optional(),
  })
  .openapi("ToolCall");

type Call = z.infer<typeof callSchema>;

/** Of a tool that failed. */
const failureMembers = {
  tool: z.string().optional(),
  outcome: z.literal("failed").optional(),
  class: attemptSchema.shape.class,
  markdown: z.literal("").optional(),
  results: z.array(z.unknown()).max(0).optional(),
};

const callRoute = createRoute({
  method: "post",
  path: `${LIST_PATH}/{id}`,
  operationId: "callTool",
  summary: "Run one chat tool",
  tags: ["Chat"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: {
    params: z.object({ id: z.string().openapi({ example: "google-search" }) }),
    body: jsonBody(callSchema, { query: "french alpine landscape", language: "en" }),
  },
  responses: {
    200: json(
      "What it found, or that there is nothing. A tool that failed is a problem with the same members",
      z
        .object({
          tool: z.string(),
          outcome: z.enum(["hit", "empty"]),
          class: attemptSchema.shape.class.openapi({
            description: "With `empty`: not everyone answered, and this is why",
          }),
          stale: z.literal(true).optional().openapi({ description: "Everyone failed: an older answer stood in" }),
          markdown: z.string().openapi({ description: "For a model or a person; empty when the tool failed" }),
          results: z.array(z.record(z.string(), z.unknown())).openapi({ description: "In the shape of the tool" }),
          attempts: z.array(attemptSchema),
        })
        .openapi("ToolAnswer"),
      TOOL_ANSWER,
    ),
    ...problemAnswersWith(failureMembers, 400, 401, 413, 415, 502),
  },
});

export function toolRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(listRoute, (c) =>
    c.json(
      {
        tools: TOOLS.map(({ id, label, button = null, needs, asks, answers }) => ({
          id,
          label,
          button,
          needs,
          asks,
          answers,
        })),
      },
      200,
    ),
  );

  app.openapi(callRoute, async (c) => {
    const { id } = c.req.valid("param");
    const call = c.req.valid("json");
    requireInput(toolById(id).needs, call);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const runner = toolRunner({
      hostImage: (dataUrl) => hostForRequest(c, dataUrl, context),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    const result = await runner.run(id, inputOf(call), context);
    c.set("attempts", result.attempts);
    if (result.outcome === "failed") throw failure(result);
    return c.json(result as never, 200);
  });

  allowOnly(app, LIST_PATH, ["GET"]);
  allowOnly(app, `${LIST_PATH}/:id`, ["POST"]);
  return app;
}

function requireInput(needs: "query" | "image", call: Call): void {
  const { query, image_url: url, image_data_url: dataUrl } = call;
  if (needs === "query" && query.trim() === "") throw missing("/query", "this tool needs a query");
  if (needs === "image" && (url === undefined) === (dataUrl === undefined)) {
    throw missing("/image_url", "this tool needs `image_url` or `image_data_url`, not both");
  }
}

function missing(pointer: string, detail: string): SluiceError {
  return new SluiceError("invalid-request", `${pointer}: ${detail}`, { faults: [{ pointer, detail }] });
}

function inputOf({ query, language, num, country, locale, ...image }: Call): ToolInput {
  return {
    query,
    language,
    ...(image.image_url === undefined ? {} : { imageUrl: image.image_url }),
    ...(image.image_data_url === undefined ? {} : { imageData: image.image_data_url }),
    ...(country === undefined ? {} : { country: country.toLowerCase() }),
    ...(locale === undefined ? {} : { locale }),
    ...(num === undefined ? {} : { num }),
  };
}

/** The problem of a tool that failed; it carries the tool's own members. */
function failure(result: ToolResult): SluiceError {
  const called = result.attempts.some(wasWanted);
  const detail = called
    ? `The tool \`${result.tool}\` failed (${result.class}).`
    : `The tool \`${result.tool}\` has nobody to ask: see \`attempts\` for the reason of each.`;
  return new SluiceError(called ? "providers-failed" : "no-provider", detail, { context: { ...result } });
}
