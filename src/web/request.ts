import { z } from "@hono/zod-openapi";
import { PROVIDERS } from "../providers/registry.ts";
import type { SearchQuery } from "../providers/types.ts";

/** What every provider answers with when no engine is asked for. */
export const USUAL_WEB_ENGINE = "google";
export const USUAL_IMAGE_ENGINE = "google_images_light";

/** Engines that can be asked for by id, the usual one first. */
export const WEB_ENGINES = engineIds(USUAL_WEB_ENGINE, "webEngines");
export const IMAGE_ENGINES = engineIds(USUAL_IMAGE_ENGINE, "imageEngines");

const LONGEST_QUERY = 2_000;

export const queryField = z
  .string()
  .max(LONGEST_QUERY)
  .refine((query) => query.trim() !== "", "must not be empty")
  .openapi({ example: "french alpine landscape" });
export const countryField = z
  .string()
  .regex(/^[A-Za-z]{2}$/, "must be an ISO 3166-1 code of two letters")
  .openapi({ example: "vn" });
export const localeField = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/, "must be a BCP 47 language tag")
  .openapi({ example: "vi" });

const searchFields = {
  query: queryField,
  country: countryField.optional(),
  locale: localeField.optional(),
  page: z.int().min(1).max(100).default(1),
  num: z.int().min(1).max(100).default(10),
  safe: z.boolean().default(true),
};

export const webSearchSchema = z
  .strictObject({ ...searchFields, engine: z.enum(WEB_ENGINES).default(USUAL_WEB_ENGINE) })
  .openapi("WebSearch");

export const imageSearchSchema = z
  .strictObject({
    ...searchFields,
    engine: z.enum(IMAGE_ENGINES).optional(),
    license: z.enum(["any", "cleared"]).default("any"),
  })
  .refine(({ license, engine }) => license === "any" || engine === undefined, {
    path: ["engine"],
    message: "cannot be chosen with the license `cleared`: search engines clear no licenses",
  })
  .openapi("ImageSearch");

export type WebSearchRequest = z.infer<typeof webSearchSchema>;
export type ImageSearchRequest = z.infer<typeof imageSearchSchema>;

/** A request's fields as providers take them. */
export function searchQuery(request: Omit<WebSearchRequest, "engine">): SearchQuery {
  const { query, country, locale, page, num, safe } = request;
  return {
    query: query.replaceAll(/\s+/g, " ").trim(),
    page,
    num,
    safe,
    ...(country ? { country: country.toLowerCase() } : {}),
    ...(locale ? { locale } : {}),
  };
}

function engineIds(usual: string, kind: "webEngines" | "imageEngines"): [string, ...string[]] {
  const others = PROVIDERS.flatMap((provider) => Object.keys(provider[kind] ?? {}));
  return [usual, ...new Set(others.filter((id) => id !== usual))];
}
