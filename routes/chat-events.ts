import { z } from "@hono/zod-openapi";
import { SEARCH_MODES } from "../src/chat/auto-trigger.ts";
import { attemptSchema } from "./schemas.ts";

const search = { tool: z.string(), outcome: z.enum(["hit", "empty", "failed"]), class: attemptSchema.shape.class };
const common = {
  request_id: z.string(),
  model: z.string().nullable(),
  context: z.string(),
  deep_thinking: z.literal(false),
  thinking_mode: z.literal("instant"),
  timestamp: z.iso.datetime(),
};

/** What `/chat/stream` sends, by the name of the event. */
export const CHAT_EVENTS = {
  metadata: z.object({
    ...common,
    skill: z.null(),
    skill_name: z.null(),
    skill_source: z.null(),
    stream_backend: z.literal("sluice"),
    stream_contract_version: z.literal("v2"),
    streaming: z.literal(true),
    language: z.enum(["vi", "en"]),
    web_search: z.boolean(),
    tools: z.array(z.string()),
    search: z.object({
      mode: z.enum(SEARCH_MODES),
      web: z.boolean(),
      reverse_image: z.boolean(),
      score: z.number(),
      reasons: z.array(z.object({ rule: z.string(), match: z.string(), score: z.number() })),
    }),
  }),
  "search.start": z.object({ request_id: z.string(), tool: z.string(), query: z.string() }),
  "search.attempt": attemptSchema.extend({ request_id: z.string(), tool: z.string() }),
  "search.result": z.object({
    request_id: z.string(),
    ...search,
    markdown: z.string(),
    results: z.array(z.record(z.string(), z.unknown())),
  }),
  chunk: z.object({ request_id: z.string(), content: z.string(), chunk_index: z.int() }),
  complete: z.object({
    ...common,
    response: z.string(),
    total_chunks: z.int(),
    time_to_first_chunk: z.number().optional().openapi({ description: "Seconds" }),
    searches: z.array(z.object(search)),
    thinking_summary: z.literal(""),
    thinking_steps: z.array(z.unknown()).max(0),
    thinking_duration_ms: z.literal(0),
    tokens: z.int().nullable(),
    max_tokens: z.null(),
    input_tokens: z.int().optional(),
    has_image: z.boolean(),
    elapsed_time: z.number().openapi({ description: "Seconds" }),
  }),
  error: z.object({
    request_id: z.string(),
    error: z.string(),
    code: z.enum(["model-failed", "internal"]),
    class: z.string().optional(),
  }),
};
