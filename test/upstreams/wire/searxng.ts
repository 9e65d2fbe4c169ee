import { Hono } from "hono";
import { PAGES, type WebPage } from "../catalogue/pages.ts";
import { WEB_IMAGES, type WebImage } from "../catalogue/web-images.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";

const WEB_PAGE = 20;
const IMAGE_PAGE = 30;

/** Wire: docs.searxng.org/dev/search_api.html. */
export const searxng = new Hono<SimulatorEnv>();

searxng.get("/search", (c) => {
  const format = c.req.query("format") ?? "html";
  if (format === "html")
    return c.html("<!DOCTYPE html><html><head><title>SearXNG</title></head><body></body></html>\n");
  if (format !== "json") return c.html("<!DOCTYPE html><html><body><h1>Forbidden</h1></body></html>\n", 403);
  const query = c.req.query("q") ?? "";
  const page = numberParameter(c, "pageno", 1);
  if (query === "" || !isWithin(page, 1, 1_000) || !isWithin(numberParameter(c, "safesearch", 0), 0, 2)) {
    return c.json({ error: query === "" ? "No query" : "Invalid parameter" }, 400);
  }
  const results =
    c.req.query("categories") === "images"
      ? slice(found(c, WEB_IMAGES, query), (page - 1) * IMAGE_PAGE, IMAGE_PAGE).map(imageResult)
      : slice(found(c, PAGES, query), (page - 1) * WEB_PAGE, WEB_PAGE).map(webResult);
  return c.json({
    query,
    number_of_results: 0,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  });
});

function webResult({ title, link, snippet, date }: WebPage, index: number): unknown {
  return {
    url: link,
    title,
    content: snippet,
    engine: "duckduckgo",
    engines: ["duckduckgo", "mojeek"],
    score: 2 / (index + 1),
    category: "general",
    publishedDate: date && `${date}T00:00:00`,
  };
}

function imageResult({ title, pageUrl, imageUrl, thumbnailUrl, source }: WebImage, index: number): unknown {
  return {
    url: pageUrl,
    title,
    content: "",
    img_src: imageUrl,
    thumbnail_src: thumbnailUrl,
    source,
    engine: "bing images",
    engines: ["bing images"],
    score: 1 / (index + 1),
    category: "images",
  };
}
