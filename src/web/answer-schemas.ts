import { z } from "@hono/zod-openapi";
import { attemptSchema } from "../cascade/attempt-schema.ts";

const webRowSchema = z
  .object({
    title: z.string(),
    link: z.string(),
    snippet: z.string(),
    position: z.int(),
    source: z.string(),
    date: z.string().optional(),
  })
  .openapi("WebResult");

const imageRowSchema = z
  .object({
    title: z.string(),
    imageUrl: z.string(),
    thumbnailUrl: z.string().describe("Empty where the provider gives none"),
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
      .describe("With `license: cleared` only, as `author` and `credit`"),
    author: z.string().optional(),
    credit: z.string().optional().openapi({ example: "© Jane Doe / Wikimedia / CC BY-SA 4.0" }),
  })
  .openapi("ImageResult");

const worthFields = {
  provider: z.string().optional().describe("The step that gave the results, as in `attempts`"),
  engine: z.string().optional().describe("Whose results these are, whichever was asked for"),
  degraded: z.literal(true).optional().describe("Nothing found, but not everyone answered"),
  stale: z.literal(true).optional().describe("Everyone failed: an older answer stood in"),
  attempts: z.array(attemptSchema),
};

/** What a web search answers. */
export const webAnswerSchema = z.object({ results: z.array(webRowSchema), ...worthFields }).openapi("WebSearchAnswer");

/** What an image search answers. */
export const imageAnswerSchema = z
  .object({ results: z.array(imageRowSchema), ...worthFields })
  .openapi("ImageSearchAnswer");
