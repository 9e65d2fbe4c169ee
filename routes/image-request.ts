import { z } from "@hono/zod-openapi";
import { type FieldFault, SluiceError } from "../src/errors.ts";
import { checkFilename } from "../src/images/filename.ts";
import type { ImageRequest } from "../src/images/request.ts";

const words = z.string().max(400);

/** One row of `image_queries.json`, as the spec's §5 has it. Unknown fields are faults: a typo must not pass unseen. */
export const imageRequestSchema = z
  .strictObject({
    filename: z.string().min(1).max(255),
    query: words.refine((query) => query.trim() !== "", "must not be empty"),
    query_variants: z.union([words, z.array(words).max(10)]).optional(),
    slide: z.string().max(200).default(""),
    purpose: z.string().max(400).default(""),
    orientation: z.enum(["any", "landscape", "portrait", "square"]).default("any"),
    min_width: z.int().min(1).max(20_000).optional(),
    min_height: z.int().min(1).max(20_000).optional(),
    provider: z.enum(["pexels", "pixabay", "openverse", "wikimedia"]).optional(),
    strict_no_attribution: z.boolean().default(false),
    required_terms: z.union([words, z.array(words).max(10)]).optional(),
  })
  .openapi("ImageRequest");
