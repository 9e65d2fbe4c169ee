import { type Context, Hono } from "hono";
import { PAGES } from "../catalogue/pages.ts";
import { WEB_IMAGES } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, numberParameter, slice } from "./answering.ts";

type Call = Context<SimulatorEnv>;

/** An engine: the parameter that it needs, and its answer's own members. */
interface Engine {
  readonly needs: string;
  answer(c: Call, wanted: string): Record<string, unknown>;
}

/** Wire: serpapi.com/search-engine-apis. One entry for each engine that exists here. */
const ENGINES: Readonly<Record<string, Engine>> = {
  google: {
    needs: "q",
    // Google took `num` away: a page holds ten.
    answer: (c, q) => ({ organic_results: organic(c, q, numberParameter(c, "start", 0), 10) }),
  },
  bing: {
    needs: "q",
    answer: (c, q) => ({ organic_results: organic(c, q, numberParameter(c, "first", 1) - 1, 10) }),
  },
  baidu: {
    needs: "q",
    answer: (c, q) => ({
      organic_results: organic(c, q, numberParameter(c, "pn", 0), Math.min(50, numberParameter(c, "rn", 10))),
    }),
  },
  google_images_light: {
    needs: "q",
    answer: (c, q) => ({ images_results: images(c, q, numberParameter(c, "start", 0), 20) }),
  },
  google_images: {
    needs: "q",
    answer: (c, q) => ({ images_results: images(c, q, numberParameter(c, "ijn", 0) * 100, 100) }),
  },
  bing_images: {
    needs: "q",
    answer: (c, q) => ({
      images_results: images(c, q, numberParameter(c, "first", 1) - 1, numberParameter(c, "count", 35)),
    }),
  },
};

export const serpapi = new Hono<SimulatorEnv>();

serpapi.get("/search.json", answer);
serpapi.get("/search", answer);

function answer(c: Call): Response {
  if (c.req.query("api_key") !== TEST_KEYS.SERPAPI_API_KEY) {
    return c.json({ error: "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key" }, 401);
  }
  const name = c.req.query("engine") ?? "google";
  const engine = Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
  if (engine === undefined) return c.json({ error: `Unsupported \`${name}\` search engine.` }, 400);
  const wanted = c.req.query(engine.needs) ?? "";
  if (wanted === "") return c.json({ error: `Missing query \`${engine.needs}\` parameter.` }, 400);
  const { api_key: _key, ...parameters } = c.req.query();
  const lists = engine.answer(c, wanted);
  const nothing = Object.values(lists).every((list) => Array.isArray(list) && list.length === 0);
  return c.json({
    search_metadata: { id: "66f2c1d07b1e", status: "Success", total_time_taken: 0.74 },
    search_parameters: parameters,
    ...(nothing
      ? {
          search_information: { organic_results_state: "Fully empty" },
          error: "Google hasn't returned any results for this query.",
        }
      : { search_information: { organic_results_state: "Results for exact spelling" }, ...lists }),
  });
}

function organic(c: Call, query: string, offset: number, size: number): unknown[] {
  return slice(found(c, PAGES, query), offset, size).map((page, index) => ({
    position: index + 1,
    title: page.title,
    link: page.link,
    displayed_link: new URL(page.link).host,
    snippet: page.snippet,
    source: page.source,
    date: page.date,
  }));
}

function images(c: Call, query: string, offset: number, size: number): unknown[] {
  return slice(found(c, WEB_IMAGES, query), offset, size).map((image, index) => ({
    position: offset + index + 1,
    title: image.title,
    link: image.pageUrl,
    source: image.source,
    thumbnail: image.thumbnailUrl,
    original: image.imageUrl,
    original_width: image.picture.width,
    original_height: image.picture.height,
  }));
}
