import { z } from "@hono/zod-openapi";

/** What the SearchGen client sends; `page`, `num`, `country` and `locale` may be missing (image searches have neither). */
export const searchRequestSchema = z
  .object({
    search_type: z.enum(["web", "image"]),
    // However long: each provider gets as many words as it takes.
    query: z.string().refine((query) => query.trim() !== "", "must not be empty"),
    country: z.string().max(8).nullish(),
    locale: z.string().max(35).nullish(),
    page: z.int().min(1).max(100).default(1),
    num: z.int().min(1).max(100).default(10),
  })
  .openapi("SearchGenRequest");

export type SearchGenRequest = z.infer<typeof searchRequestSchema>;
