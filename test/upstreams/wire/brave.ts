import { type Context, Hono } from "hono";
import { braveError, braveValidation } from "../cases/brave.ts";
import { PAGES } from "../catalogue/pages.ts";
import { WEB_IMAGES } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";

type Call = Context<SimulatorEnv>;

const COUNTRIES = new Set(
  "ALL AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " ",
  ),
);
const LANGUAGES = new Set(
  (
    "ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb " +
    "pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi"
  ).split(" "),
);
const RATE_HEADERS = {
  "x-ratelimit-limit": "1, 15000",
  "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
  "x-ratelimit-remaining": "1, 14321",
  "x-ratelimit-reset": "1, 1419704",
};

/** Wire: api.search.brave.com/res/v1. */
export const brave = new Hono<SimulatorEnv>();

brave.get("/res/v1/web/search", (c) => {
  const count = numberParameter(c, "count", 20);
  const offset = numberParameter(c, "offset", 0);
  const refused =
    refusal(c, ["off", "moderate", "strict"]) ??
    outOfRange(c, "count", count, 1, 20) ??
    outOfRange(c, "offset", offset, 0, 9);
  if (refused !== undefined) return refused;
  const query = c.req.query("q")!;
  const all = found(c, PAGES, query);
  const results = slice(all, offset * count, count).map((page) => ({
    title: page.title,
    url: page.link,
    description: emphasized(page.snippet, query),
    age: page.date,
    page_age: page.date && `${page.date}T00:00:00`,
    language: "en",
    meta_url: { scheme: "https", hostname: new URL(page.link).host },
  }));
  const more = all.length > (offset + 1) * count;
  return c.json(
    {
      type: "search",
      query: { original: query, more_results_available: more },
      ...(results.length === 0 ? {} : { web: { type: "search", results } }),
    },
    200,
    RATE_HEADERS,
  );
});

brave.get("/res/v1/images/search", (c) => {
  const count = numberParameter(c, "count", 50);
  const refused = refusal(c, ["off", "strict"]) ?? outOfRange(c, "count", count, 1, 200);
  if (refused !== undefined) return refused;
  const query = c.req.query("q")!;
  const results = slice(found(c, WEB_IMAGES, query), 0, count).map((image) => ({
    type: "image_result",
    title: image.title,
    url: image.pageUrl,
    source: new URL(image.pageUrl).host,
    thumbnail: { src: image.thumbnailUrl },
    properties: { url: image.imageUrl, placeholder: image.thumbnailUrl },
    confidence: "high",
  }));
  return c.json({ type: "images", query: { original: query }, results }, 200, RATE_HEADERS);
});

function refusal(c: Call, safeSearch: readonly string[]): Response | undefined {
  const token = c.req.header("x-subscription-token");
  if (token === undefined) return c.json(braveValidation(["header", "x-subscription-token"], "Field required"), 422);
  if (token !== TEST_KEYS.BRAVE_API_KEY) {
    return c.json(braveError("SUBSCRIPTION_TOKEN_INVALID", 422, "The provided subscription token is invalid."), 422);
  }
  const query = c.req.query("q") ?? "";
  if (query === "") return invalid(c, "q", "Field required");
  if ([...query].length > 400) return invalid(c, "q", "String should have at most 400 characters");
  if (query.trim().split(/\s+/).length > 50) return invalid(c, "q", "String should have at most 50 words");
  if (!COUNTRIES.has(c.req.query("country") ?? "US")) return invalid(c, "country", "Input is no known country");
  if (!LANGUAGES.has(c.req.query("search_lang") ?? "en"))
    return invalid(c, "search_lang", "Input is no known language");
  const safe = c.req.query("safesearch");
  if (safe !== undefined && !safeSearch.includes(safe))
    return invalid(c, "safesearch", `Input is not ${safeSearch.join(", ")}`);
  return undefined;
}

function outOfRange(c: Call, name: string, value: number, least: number, most: number): Response | undefined {
  return isWithin(value, least, most) ? undefined : invalid(c, name, `Input should be from ${least} to ${most}`);
}

function invalid(c: Call, name: string, message: string): Response {
  return c.json(braveValidation(["query", name], message), 422);
}

/** Brave marks the words of the query in its descriptions. */
function emphasized(text: string, query: string): string {
  const words = new Set(query.toLowerCase().split(/\s+/));
  return text
    .replaceAll("&", "&amp;")
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) => (words.has(word.toLowerCase()) ? `<strong>${word}</strong>` : word));
}
