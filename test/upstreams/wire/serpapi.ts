import { type Context, Hono } from "hono";
import { PAGES } from "../catalogue/pages.ts";
import { WEB_IMAGES } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, numberParameter, slice } from "./answering.ts";
import { bingReverseSections, lensSections, reverseSections, yandexSections } from "./serpapi-reverse.ts";

type Call = Context<SimulatorEnv>;

/** An engine: the parameter that it needs, what it takes beside, and its answer's own members. */
interface Engine {
  readonly needs: string;
  /** Parameters that have few values. */
  readonly values?: Readonly<Record<string, RegExp>>;
  answer(c: Call, wanted: string): Record<string, unknown>;
}

const GOOGLE = { safe: /^(?:active|off)$/, gl: /^[a-z]{2}$/, hl: /^[a-z]{2,3}(?:-[a-z]{2,4})?$/ };
const BING = {
  safeSearch: /^(?:Off|Moderate|Strict)$/,
  mkt: /^[a-z]{2}-[A-Z]{2}$/,
  cc: /^[A-Z]{2}$/,
  first: /^[1-9]\d*$/,
};

/** Wire: serpapi.com/search-engine-apis. One entry for each engine that exists here. */
const ENGINES: Readonly<Record<string, Engine>> = {
  google: {
    needs: "q",
    values: GOOGLE,
    // Google took `num` away: a page holds ten.
    answer: (c, q) => ({ organic_results: organic(c, q, numberParameter(c, "start", 0), 10) }),
  },
  bing: {
    needs: "q",
    values: BING,
    answer: (c, q) => ({ organic_results: organic(c, q, numberParameter(c, "first", 1) - 1, 10) }),
  },
  baidu: {
    needs: "q",
    values: { rn: /^(?:[1-9]|[1-4]\d|50)$/, pn: /^\d+$/ },
    answer: (c, q) => ({
      organic_results: organic(c, q, numberParameter(c, "pn", 0), numberParameter(c, "rn", 10)),
    }),
  },
  google_images_light: {
    needs: "q",
    values: GOOGLE,
    answer: (c, q) => ({ images_results: images(c, q, numberParameter(c, "start", 0), 20) }),
  },
  google_images: {
    needs: "q",
    values: GOOGLE,
    answer: (c, q) => ({ images_results: images(c, q, numberParameter(c, "ijn", 0) * 100, 100) }),
  },
  bing_images: {
    needs: "q",
    values: BING,
    answer: (c, q) => ({
      images_results: images(c, q, numberParameter(c, "first", 1) - 1, numberParameter(c, "count", 35)),
    }),
  },
  google_lens: { needs: "url", values: { country: GOOGLE.gl, hl: GOOGLE.hl }, answer: byImage(lensSections) },
  google_reverse_image: { needs: "image_url", values: GOOGLE, answer: byImage(reverseSections) },
  yandex_images: { needs: "url", answer: byImage(yandexSections) },
  bing_reverse_image: { needs: "image_url", values: { mkt: BING.mkt }, answer: byImage(bingReverseSections) },
};

/** An engine that searches by image; addresses that it cannot fetch are found nowhere. */
function byImage(sectionsOf: (imageUrl: string) => Record<string, unknown>): Engine["answer"] {
  return (c, imageUrl) => (c.get("findNothing") ? {} : sectionsOf(imageUrl));
}

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
  // Google dropped it, and the others never had it.
  if (c.req.query("num") !== undefined) return c.json({ error: "Unsupported `num` parameter." }, 400);
  const odd = Object.keys(engine.values ?? {}).find((each) => isOdd(c.req.query(each), engine.values?.[each]));
  if (odd !== undefined) return c.json({ error: `Unsupported value for the parameter \`${odd}\`.` }, 400);
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

function isOdd(value: string | undefined, valid: RegExp | undefined): boolean {
  return value !== undefined && valid !== undefined && !valid.test(value);
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
