import { type Context, Hono } from "hono";
import { OPENVERSE_PAGE_SIZE_ERROR } from "../cases/openverse.ts";
import { licenseOf } from "../catalogue/licenses.ts";
import { OPENVERSE, type OpenverseRecord } from "../catalogue/openverse.ts";
import type { Picture } from "../catalogue/picture.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, isWithin, numberParameter, slice } from "./answering.ts";
import { servePicture } from "./serve-picture.ts";

type Call = Context<SimulatorEnv>;

const ANONYMOUS_PAGE = 20;
const DEPTH = 240;
const THUMBNAIL_WIDTH = 600;
const CODES = new Set([
  "by",
  "by-nc",
  "by-nc-nd",
  "by-nc-sa",
  "by-nd",
  "by-sa",
  "cc0",
  "nc-sampling+",
  "pdm",
  "sampling+",
]);
const ASPECT_RATIOS = new Set(["tall", "wide", "square"]);
const SIZES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  small: [0, 250_000],
  medium: [250_000, 1_000_000],
  large: [1_000_000, Number.POSITIVE_INFINITY],
};

/** Wire: api.openverse.org/v1, as an anonymous client. */
export const openverse = new Hono<SimulatorEnv>();

openverse.use("/v1/*", async (c, next) => {
  if (c.req.header("authorization") !== undefined) return c.json({ detail: "Invalid token." }, 401);
  // Thumbnails are served from a cache and do not count.
  if (c.get("upstream") !== "openverse") return next();
  const { allowed, resetSeconds } = c.get("scope").limits.take("openverse", Date.now());
  if (allowed) return next();
  const detail = `Request was throttled. Expected available in ${resetSeconds} seconds.`;
  return c.json({ detail }, 429, { "retry-after": String(resetSeconds) });
});

openverse.get("/v1/images/", (c) => {
  const pageSize = numberParameter(c, "page_size", ANONYMOUS_PAGE);
  const page = numberParameter(c, "page", 1);
  if (pageSize > ANONYMOUS_PAGE) return c.json(OPENVERSE_PAGE_SIZE_ERROR, 401);
  if (!(pageSize >= 1)) return invalid(c, "page_size", "A valid integer is required.");
  if (!isWithin(page, 1, Math.floor(DEPTH / pageSize))) return invalid(c, "page", `Only ${DEPTH} results can be had.`);
  const licenses = c.req.query("license")?.toLowerCase().split(",");
  const unknown = licenses?.find((license) => !CODES.has(license));
  if (unknown !== undefined) return invalid(c, "license", `License '${unknown}' does not exist.`);
  const shapes = c.req.query("aspect_ratio")?.split(",");
  if (shapes?.some((shape) => !ASPECT_RATIOS.has(shape)) === true) return invalid(c, "aspect_ratio", "Invalid.");
  const sizes = c.req.query("size")?.split(",");
  if (sizes?.some((size) => SIZES[size] === undefined) === true) return invalid(c, "size", "Invalid.");
  const query = c.req.query("q") ?? "";
  if (query.length > 200) return invalid(c, "q", "Ensure this field has no more than 200 characters.");

  const all = found(c, OPENVERSE, query).filter(
    (record) =>
      (licenses === undefined || licenses.includes(codeOf(record))) &&
      (shapes === undefined || shapes.includes(shapeOf(record.picture))) &&
      (sizes === undefined || sizes.some((size) => isOfSize(record.picture, size))),
  );
  return c.json({
    result_count: all.length,
    page_count: Math.min(Math.ceil(all.length / pageSize), Math.floor(DEPTH / pageSize)),
    page_size: pageSize,
    page,
    results: slice(all, (page - 1) * pageSize, pageSize).map(image),
  });
});

openverse.get("/v1/images/:id/", (c) => {
  const record = OPENVERSE.find(({ id }) => id === c.req.param("id"));
  return record === undefined ? c.json({ detail: "No Image matches the given query." }, 404) : c.json(image(record));
});

openverse.get("/v1/images/:id/thumb/", async (c) => {
  const record = OPENVERSE.find(({ id }) => id === c.req.param("id"));
  if (record === undefined) return c.json({ detail: "No Image matches the given query." }, 404);
  if (record.filetype === "pdf" || record.thumbnailFails === 415) {
    return c.json({ detail: 'Unsupported media type "application/octet-stream" in request.' }, 415);
  }
  if (record.thumbnailFails === 424) return c.json({ detail: "Could not reach the source of the image." }, 424);
  const { picture } = record;
  const width = Math.min(THUMBNAIL_WIDTH, picture.width);
  const height = Math.round((picture.height * width) / picture.width);
  return servePicture(c, picture, { format: "jpeg", width, height });
});

function image(record: OpenverseRecord): unknown {
  const { id, title, creator, source, picture, filetype, tags } = record;
  const { version } = licenseOf(record.license).openverse!;
  const base = `https://api.openverse.org/v1/images/${id}/`;
  return {
    id,
    title,
    foreign_landing_url: record.landingUrl,
    url: record.url,
    creator: creator === "" ? null : creator,
    creator_url: null,
    license: codeOf(record),
    license_version: version,
    license_url: licenseOf(record.license).url.replace(/deed\.en$/, ""),
    provider: source,
    source,
    category: "photograph",
    filesize: null,
    filetype,
    tags: tags.map((name) => ({ name, accuracy: null })),
    fields_matched: ["title"],
    mature: false,
    width: picture.width,
    height: picture.height,
    detail_url: base,
    related_url: `${base}related/`,
    thumbnail: `${base}thumb/`,
  };
}

function codeOf({ license }: OpenverseRecord): string {
  return licenseOf(license).openverse!.license;
}

function shapeOf({ width, height }: Picture): string {
  if (width === height) return "square";
  return width > height ? "wide" : "tall";
}

function isOfSize({ width, height }: Picture, size: string): boolean {
  const [least, most] = SIZES[size]!;
  return width * height > least && width * height <= most;
}

function invalid(c: Call, field: string, message: string): Response {
  return c.json({ detail: { [field]: [message] } }, 400);
}
