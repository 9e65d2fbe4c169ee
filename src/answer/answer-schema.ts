import { z } from "@hono/zod-openapi";
import { attemptSchema } from "../cascade/attempt-schema.ts";

const providerSchema = z.enum(["gemini", "tavily"]);

/** The unified JSON of an answer. */
export const answerSchema = z
  .object({
    provider: providerSchema,
    answer: z.string().nullable(),
    results: z.array(
      z.object({
        title: z.string(),
        url: z.string(),
        snippet: z.string(),
        redirect_url: z.string().optional().describe("Google's redirect, behind which `url` was found"),
      }),
    ),
    fallback: z.boolean(),
    used_web: z.boolean(),
    searched_with: z.enum(["gemini", "tavily", "none"]).describe("For `_Searched with: …_`"),
    untrusted: z.boolean().describe("The texts come from the web"),
    untrusted_note: z.string().nullable(),
    routing: z.object({
      classified_web: z.boolean().nullable().describe("Null when the classifier did not answer"),
      provider_selected: providerSchema,
      fallback_reason: z.string().nullable().openapi({ example: "gemini_quota" }),
    }),
    redacted: z.array(z.enum(["key", "email", "phone"])).describe("Taken out of the query"),
    search_queries: z.array(z.string()).optional(),
    search_suggestions: z.string().optional().describe("Google's HTML, to be shown with the answer"),
    attempts: z.array(attemptSchema.extend({ step: z.enum(["classify", "answer", "search"]) })),
  })
  .openapi("Answer");
