import { type Context, Hono } from "hono";
import { PIXABAY_KEY_ERROR } from "../cases/pixabay.ts";
import { PIXABAY, PIXABAY_SIDES, type PixabayRecord, within } from "../catalogue/pixabay.ts";
import { pixabayPreviewUrl } from "../hosting.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";
import { servePicture } from "./serve-picture.ts";

type Call = Context<SimulatorEnv>;

const MOST_HITS = 500;

/** Wire: pixabay.com/api/docs; and the files, whose addresses run out. */
export const pixabay = new Hono<SimulatorEnv>();

pixabay.get("/api/", (c) => {
  if (c.req.query("key") !== TEST_KEYS.PIXABAY_API_KEY) return c.text(PIXABAY_KEY_ERROR, 400);
  const allowance = c.get("scope").limits.take("pixabay", Date.now());
  const headers = {
    "x-ratelimit-limit": String(allowance.limit),
    "x-ratelimit-remaining": String(allowance.remaining),
    "x-ratelimit-reset": String(allowance.resetSeconds),
  };
  if (!allowance.allowed) return c.text("[ERROR 429] API rate limit exceeded", 429, headers);
  const id = c.req.query("id");
  if (id !== undefined) {
    const record = PIXABAY.find((each) => String(each.id) === id);
    if (record === undefined) return invalid(c, "id");
    return c.json({ total: 1, totalHits: 1, hits: [hit(record, record.file)] }, 200, headers);
  }
  const query = c.req.query("q") ?? "";
  if ([...query].length > 100) return c.text('[ERROR 400] "q" must not exceed 100 characters.', 400);
  const page = numberParameter(c, "page", 1);
  const perPage = numberParameter(c, "per_page", 20);
  if (!isWithin(perPage, 3, 200)) return outOfRange(c, "per_page");
  if (!["all", "photo", "illustration", "vector"].includes(c.req.query("image_type") ?? "all"))
    return invalid(c, "image_type");
  const orientation = c.req.query("orientation") ?? "all";
  if (!["all", "horizontal", "vertical"].includes(orientation)) return invalid(c, "orientation");
  const all = found(c, PIXABAY, query).filter(
    ({ picture }) => orientation === "all" || (orientation === "horizontal") === picture.width > picture.height,
  );
  const reachable = all.slice(0, MOST_HITS);
  if (!isWithin(page, 1, Math.max(1, Math.ceil(reachable.length / perPage)))) return outOfRange(c, "page");
  const hits = slice(reachable, (page - 1) * perPage, perPage).map((record) =>
    hit(record, record.expired === true ? `expired-${record.file}` : record.file),
  );
  return c.json({ total: all.length, totalHits: reachable.length, hits }, 200, headers);
});

pixabay.get("/get/:name", async (c) => {
  const [, file, side] = /^(.+)_(\d+)\.jpg$/.exec(c.req.param("name")) ?? [];
  const record = PIXABAY.find((each) => each.file === file);
  if (record === undefined || !Object.values(PIXABAY_SIDES).some((each) => String(each) === side)) {
    return c.text("404: not found\n", 404);
  }
  return servePicture(c, record.picture, { format: "jpeg", ...within(record.picture, Number(side)) });
});

function hit(record: PixabayRecord, file: string): unknown {
  const { id, title, picture, user } = record;
  const large = within(picture, PIXABAY_SIDES.large);
  const web = within(picture, PIXABAY_SIDES.webformat);
  const preview = within(picture, PIXABAY_SIDES.preview);
  return {
    id,
    pageURL: record.pageUrl,
    type: "photo",
    tags: title,
    previewURL: pixabayPreviewUrl(id),
    previewWidth: preview.width,
    previewHeight: preview.height,
    webformatURL: `https://pixabay.com/get/${file}_${PIXABAY_SIDES.webformat}.jpg`,
    webformatWidth: web.width,
    webformatHeight: web.height,
    largeImageURL: `https://pixabay.com/get/${file}_${PIXABAY_SIDES.large}.jpg`,
    imageWidth: picture.width,
    imageHeight: picture.height,
    imageSize: large.width * large.height,
    views: 12_345,
    downloads: 6_789,
    likes: 210,
    comments: 12,
    user_id: id % 7_001,
    user,
    userImageURL: "",
  };
}

function invalid(c: Call, name: string): Response {
  return c.text(`[ERROR 400] "${name}" is invalid.`, 400);
}

function outOfRange(c: Call, name: string): Response {
  return c.text(`[ERROR 400] "${name}" is out of valid range.`, 400);
}
