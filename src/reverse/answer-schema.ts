import { z } from "@hono/zod-openapi";
import { attemptSchema } from "../cascade/attempt-schema.ts";

const sourceSchema = z
  .object({
    title: z.string(),
    author: z.string(),
    url: z.string(),
    thumbnail: z.string().nullable(),
    similarity: z.number().nullable().describe("0 to 100, where the engine measures it"),
    source_engine: z.string().openapi({ example: "saucenao" }),
  })
  .openapi("ReverseImageSource");

/** What a search by image answers. */
export const reverseAnswerSchema = z
  .object({
    sources: z.array(sourceSchema).describe("Where the image itself is shown"),
    similar: z.array(sourceSchema).describe("Images like it, and matches that are not certain"),
    knowledge: z.string().nullable(),
    summary: z.string().describe("Markdown"),
    degraded: z.literal(true).optional().describe("Nothing found, but not everyone answered"),
    stale: z.literal(true).optional().describe("Everyone failed: an older answer stood in"),
    attempts: z.array(attemptSchema),
  })
  .openapi("ReverseImageAnswer");
