import { createMiddleware } from "hono/factory";
import { Hono } from "hono";
import { PEXELS, type PexelsRecord } from "../catalogue/pexels.ts";
import type { Picture } from "../catalogue/picture.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";

const LARGEST_PAGE = 80;
/** Megapixels that `size` asks for at least. */
const SIZES: Readonly<Record<string, number>> = { large: 24, medium: 12, small: 4 };
const ORIENTATIONS = new Set(["landscape", "portrait", "square"]);

/** Both the API and the file host turn away clients without a name. */
export const pexelsWantsName = createMiddleware<SimulatorEnv>(async (c, next) => {
  if ((c.req.header("user-agent") ?? "") !== "") return next();
  return c.html("<!DOCTYPE html><html><body><h1>Access denied</h1><p>Error 1010</p></body></html>\n", 403);
});

/** Wire: pexels.com/api/documentation. */
export const pexels = new Hono<SimulatorEnv>();

pexels.use(pexelsWantsName);

pexels.get("/v1/search", (c) => {
  if (c.req.header("authorization") !== TEST_KEYS.PEXELS_API_KEY) {
    return c.json({ status: 401, code: "Unauthorized" }, 401);
  }
  const allowance = c.get("scope").limits.take("pexels", Date.now());
  const headers = {
    "x-ratelimit-limit": "20000",
    "x-ratelimit-remaining": String(allowance.allowed ? 19_000 : 0),
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + allowance.resetSeconds),
  };
  if (!allowance.allowed) return c.json({ status: 429, code: "Too Many Requests" }, 429, headers);
  const query = c.req.query("query") ?? "";
  const page = numberParameter(c, "page", 1);
  const perPage = Math.min(LARGEST_PAGE, numberParameter(c, "per_page", 15));
  const orientation = c.req.query("orientation");
  const size = c.req.query("size");
  const wrong =
    query === "" ||
    !(page >= 1) ||
    !isWithin(perPage, 1, LARGEST_PAGE) ||
    (orientation !== undefined && !ORIENTATIONS.has(orientation)) ||
    (size !== undefined && SIZES[size] === undefined);
  if (wrong) return c.json({ status: 400, code: "Bad Request" }, 400, headers);
  const all = found(c, PEXELS, query).filter(
    ({ picture }) =>
      (orientation === undefined || orientationOf(picture) === orientation) &&
      (size === undefined || picture.width * picture.height >= SIZES[size]! * 1_000_000),
  );
  const more = all.length > page * perPage;
  const next = new URLSearchParams({ query, page: String(page + 1), per_page: String(perPage) });
  return c.json(
    {
      page,
      per_page: perPage,
      photos: slice(all, (page - 1) * perPage, perPage).map(photo),
      total_results: all.length,
      ...(more ? { next_page: `https://api.pexels.com/v1/search/?${next}` } : {}),
    },
    200,
    headers,
  );
});

function photo({ id, title, picture, photographer, pageUrl, fileUrl }: PexelsRecord): unknown {
  const file = (parameters: string): string => `${fileUrl}?auto=compress&cs=tinysrgb&${parameters}`;
  return {
    id,
    width: picture.width,
    height: picture.height,
    url: pageUrl,
    photographer,
    photographer_url: `https://www.pexels.com/@${photographer.toLowerCase().replaceAll(" ", "-")}`,
    photographer_id: id % 90_001,
    avg_color: "#6B665C",
    src: {
      original: fileUrl,
      large2x: file("dpr=2&h=650&w=940"),
      large: file("h=650&w=940"),
      medium: file("h=350"),
      small: file("h=130"),
      portrait: file("fit=crop&h=1200&w=800"),
      landscape: file("fit=crop&h=627&w=1200"),
      tiny: file("dpr=1&fit=crop&h=200&w=280"),
    },
    liked: false,
    alt: title,
  };
}

function orientationOf({ width, height }: Picture): string {
  if (width === height) return "square";
  return width > height ? "landscape" : "portrait";
}
