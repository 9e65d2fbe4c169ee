import { z } from "@hono/zod-openapi";
import { tavilyCountry } from "../providers/tavily-countries.ts";
import type { AnswerSearch } from "../providers/types.ts";

/** Results without and with `safe_mode`; snippet characters likewise. */
const DEFAULTS = { results: 5, safeResults: 3, snippet: 400, safeSnippet: 200 } as const;
const MOST_RESULTS = 20;
const LONGEST_SNIPPET = 800;
const MOST_DOMAINS = 100;

const date = z
  .string()
  .refine((text) => text === "" || isDate(text), "must be a date as YYYY-MM-DD")
  .optional();
const domains = z.array(z.string().max(253)).max(MOST_DOMAINS).optional();
const flag = z.boolean().optional();

/** What `POST /v1/answer` takes: a question, Tavily's options, and how much to return. An empty string is no value. */
export const answerRequestSchema = z
  .strictObject({
    query: z
      .string()
      .max(4_000)
      .refine((query) => query.trim() !== "", "must not be empty")
      .openapi({ example: "Who won the last Champions League final?" }),
    search_depth: z.enum(["basic", "advanced", "fast", "ultra-fast", ""]).optional(),
    chunks_per_source: z.int().min(1).max(3).optional(),
    max_results: z.int().min(0).max(MOST_RESULTS).optional(),
    topic: z.enum(["general", "news", "finance", ""]).optional(),
    time_range: z.enum(["day", "week", "month", "year", "d", "w", "m", "y", ""]).optional(),
    start_date: date,
    end_date: date,
    days: z.int().min(1).max(365).optional(),
    include_answer: z.union([z.boolean(), z.enum(["basic", "advanced"])]).optional(),
    include_raw_content: z.union([z.boolean(), z.enum(["markdown", "text"])]).optional(),
    include_images: flag,
    include_image_descriptions: flag,
    include_favicon: flag,
    include_domains: domains,
    exclude_domains: domains,
    country: z
      .string()
      .refine(
        (country) => country.trim() === "" || tavilyCountry(country) !== undefined,
        "must be an ISO 3166-1 alpha-2 code or the English name of a country that Tavily knows",
      )
      .optional()
      .openapi({ example: "vn" }),
    auto_parameters: flag,
    exact_match: flag,
    include_usage: flag,
    safe_mode: z.boolean().default(false).describe("At most 3 results, short snippets, no raw content"),
    return_snippets: z.boolean().default(true).describe("With `false` every snippet is empty"),
    snippet_max_chars: z.int().min(1).max(LONGEST_SNIPPET).optional(),
  })
  .superRefine((body, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (body.country?.trim() && body.topic && body.topic !== "general") {
      fault("country", "works with the topic `general` only");
    }
    if (body.start_date && body.end_date && body.start_date > body.end_date) {
      fault("start_date", "must not be after `end_date`");
    }
  })
  .openapi("AnswerRequest");

export type AnswerRequest = z.infer<typeof answerRequestSchema>;

/** How much of an answer is returned. */
export interface AnswerLimits {
  readonly results: number;
  /** Characters; 0 returns no snippets. */
  readonly snippet: number;
}

export function limitsOf(request: AnswerRequest): AnswerLimits {
  const { results, snippet } = request.safe_mode
    ? { results: DEFAULTS.safeResults, snippet: DEFAULTS.safeSnippet }
    : { results: DEFAULTS.results, snippet: DEFAULTS.snippet };
  const wanted = request.max_results ?? results;
  return {
    results: request.safe_mode ? Math.min(wanted, results) : wanted,
    snippet: request.return_snippets
      ? Math.min(request.snippet_max_chars ?? snippet, request.safe_mode ? snippet : LONGEST_SNIPPET)
      : 0,
  };
}

/** Tavily's own options among the fields, without those that hold no value; our own stay here. */
export function searchOf(request: AnswerRequest): AnswerSearch {
  const { query: _query, safe_mode: safe, return_snippets: _return, snippet_max_chars: _chars, ...options } = request;
  const named = Object.fromEntries(
    Object.entries({
      ...options,
      include_domains: request.include_domains?.map((domain) => domain.trim()).filter(Boolean),
      exclude_domains: request.exclude_domains?.map((domain) => domain.trim()).filter(Boolean),
      max_results: limitsOf(request).results,
      ...(safe ? { include_raw_content: false } : {}),
    }).filter(([, value]) => value !== undefined && !(typeof value === "string" && value.trim() === "")),
  );
  return named as AnswerSearch;
}

/** That the calendar has this day, too. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
