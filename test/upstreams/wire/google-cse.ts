import { type Context, Hono } from "hono";
import { googleError } from "../cases/google-cse.ts";
import { PAGES, type WebPage } from "../catalogue/pages.ts";
import { WEB_IMAGES, type WebImage } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";

const KEYS = new Set<string | undefined>([TEST_KEYS.GOOGLE_SEARCH_API_KEY_1, TEST_KEYS.GOOGLE_SEARCH_API_KEY_2]);

/** Wire: developers.google.com/custom-search/v1/reference/rest. */
export const googleCse = new Hono<SimulatorEnv>();

googleCse.get("/customsearch/v1", (c) => {
  const key = c.req.query("key");
  if (key === undefined) {
    const message = "The request is missing a valid API key.";
    return c.json(googleError(403, message, "forbidden", "PERMISSION_DENIED"), 403);
  }
  if (!KEYS.has(key)) {
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
    const message = "API key not valid. Please pass a valid API key.";
    return c.json(googleError(400, message, "badRequest", "INVALID_ARGUMENT", [info]), 400);
  }
  const num = numberParameter(c, "num", 10);
  const start = numberParameter(c, "start", 1);
  const query = c.req.query("q") ?? "";
  const wrong =
    query === "" || c.req.query("cx") !== TEST_KEYS.GOOGLE_CSE_ID || !isWithin(num, 1, 10) || !isWithin(start, 1, 91);
  if (wrong) {
    const message = "Request contains an invalid argument.";
    return c.json(googleError(400, message, "badRequest", "INVALID_ARGUMENT"), 400);
  }
  return c.req.query("searchType") === "image"
    ? listed(c, found(c, WEB_IMAGES, query), imageItem, start, num)
    : listed(c, found(c, PAGES, query), webItem, start, num);
});

function listed<T>(
  c: Context<SimulatorEnv>,
  all: readonly T[],
  item: (entry: T) => unknown,
  start: number,
  num: number,
): Response {
  const items = slice(all, start - 1, num).map(item);
  const more = all.length > start - 1 + num;
  return c.json({
    kind: "customsearch#search",
    queries: {
      request: [{ totalResults: String(all.length), count: items.length, startIndex: start }],
      ...(more ? { nextPage: [{ startIndex: start + num }] } : {}),
    },
    searchInformation: { searchTime: 0.31, totalResults: String(all.length) },
    ...(items.length === 0 ? {} : { items }),
  });
}

function webItem({ title, link, snippet }: WebPage): unknown {
  const displayLink = new URL(link).host;
  return { kind: "customsearch#result", title, link, displayLink, snippet, formattedUrl: link };
}

function imageItem({ title, imageUrl, pageUrl, thumbnailUrl, picture: { width, height } }: WebImage): unknown {
  return {
    kind: "customsearch#result",
    title,
    link: imageUrl,
    displayLink: new URL(pageUrl).host,
    snippet: title,
    mime: "image/jpeg",
    image: { contextLink: pageUrl, thumbnailLink: thumbnailUrl, width, height },
  };
}
