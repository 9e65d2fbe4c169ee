import { z } from "@hono/zod-openapi";

/** What the SearchGen client sends; `page`, `num`, `country` and `locale` may be missing (image searches have neither). */
export const searchRequestSchema = z
  .object({
    search_type: z.enum(["web", "image"]),
    query: z
      .string()
      .max(4_000)
      .refine((query) => query.trim() !== "", "must not be empty"),
    country: z.string().max(8).optional(),
    locale: z.string().max(35).optional(),
    page: z.int().min(1).max(100).default(1),
    num: z.int().min(1).max(100).default(10),
  })
  .openapi("SearchGenRequest");

export type SearchGenRequest = z.infer<typeof searchRequestSchema>;
