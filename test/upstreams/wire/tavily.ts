import { Hono } from "hono";
import { z } from "zod";
import { PAGES } from "../catalogue/pages.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, slice } from "./answering.ts";

/** Some of the names that it takes; codes are refused as by the real one. */
const COUNTRIES = [
  "vietnam",
  "united states",
  "united kingdom",
  "germany",
  "japan",
  "france",
  "czech republic",
] as const;
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const bodySchema = z.object({
  query: z.string().min(1).max(400),
  search_depth: z.enum(["basic", "advanced", "fast", "ultra-fast"]).default("basic"),
  chunks_per_source: z.int().min(1).max(3).optional(),
  max_results: z.int().min(0).max(20).default(5),
  topic: z.enum(["general", "news", "finance"]).default("general"),
  time_range: z.enum(["day", "week", "month", "year", "d", "w", "m", "y"]).optional(),
  start_date: date.optional(),
  end_date: date.optional(),
  days: z.int().min(1).optional(),
  include_answer: z.union([z.boolean(), z.enum(["basic", "advanced"])]).default(false),
  include_raw_content: z.union([z.boolean(), z.enum(["markdown", "text"])]).default(false),
  include_domains: z.array(z.string().min(1)).default([]),
  exclude_domains: z.array(z.string().min(1)).default([]),
  country: z.enum(COUNTRIES).optional(),
});

/** Wire: api.tavily.com. */
export const tavily = new Hono<SimulatorEnv>();

tavily.post("/search", async (c) => {
  if (c.req.header("authorization") !== `Bearer ${TEST_KEYS.TAVILY_API_KEY}`) {
    return c.json({ detail: { error: "Unauthorized: missing or invalid API key." } }, 401);
  }
  const parsed = bodySchema.safeParse(await c.req.json().catch(() => undefined));
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path[0];
    return c.json({ detail: { error: `Invalid ${String(field ?? "body")}.` } }, 400);
  }
  const body = parsed.data;
  const host = (link: string) => new URL(link).host;
  const pages = found(c, PAGES, body.query)
    .filter(({ link }) => body.include_domains.length === 0 || body.include_domains.includes(host(link)))
    .filter(({ link }) => !body.exclude_domains.includes(host(link)));
  const results = slice(pages, 0, body.max_results).map((page, index) => ({
    title: page.title,
    url: page.link,
    content: page.snippet,
    score: 0.9 - index / 100,
    raw_content: body.include_raw_content === false ? null : page.snippet,
  }));
  return c.json({
    query: body.query,
    follow_up_questions: null,
    answer: body.include_answer === false || results.length === 0 ? null : `In short: ${results[0]!.content}`,
    images: [],
    results,
    response_time: 0.9,
    request_id: "r1",
  });
});
