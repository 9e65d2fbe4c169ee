import { type Context, Hono } from "hono";
import { saucenaoHeader } from "../cases/saucenao.ts";
import type { WebImage } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { Allowance } from "../limits.ts";
import { showing } from "../showing.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { isWithin, numberParameter } from "./answering.ts";

/** Each index names a work and who made it in fields of its own. */
const ROWS: readonly {
  readonly similarity: string;
  readonly index: string;
  readonly data: (image: WebImage) => Record<string, unknown>;
  readonly hidden?: number;
}[] = [
  {
    similarity: "95.20",
    index: "Index #5: Pixiv Images - 7654321_p0.jpg",
    data: ({ title, pageUrl, imageUrl }) => ({
      ext_urls: [pageUrl, imageUrl],
      title,
      pixiv_id: 7_654_321,
      member_name: "plate_copyist",
      member_id: 1_234,
    }),
  },
  {
    similarity: "82.00",
    index: "Index #12: Yande.re - 998877.jpg",
    data: ({ title, pageUrl }) => ({
      ext_urls: [pageUrl],
      creator: ["studio north", "studio south"],
      material: title,
      characters: "",
      source: "scan of a print",
    }),
  },
  {
    similarity: "61.05",
    index: "Index #38: H-Misc (E-Hentai) - plate",
    data: ({ title, pageUrl }) => ({
      ext_urls: [pageUrl],
      eng_name: title,
      jp_name: "写真帖",
      creator: "unknown press",
    }),
    hidden: 1,
  },
  {
    similarity: "34.40",
    index: "Index #34: deviantArt - 1122334.jpg",
    data: ({ title }) => ({ title: `Study after ${title}`, author_name: "after-the-plate" }),
  },
];

/** Wire: saucenao.com/user.php?page=search-api, by address or by upload. */
export const saucenao = new Hono<SimulatorEnv>();

saucenao.get("/search.php", (c) => {
  if (c.req.query("output_type") !== "2") return c.html("<!DOCTYPE html><title>Sauce Found?</title>\n");
  if (c.req.query("api_key") !== TEST_KEYS.SAUCENAO_API_KEY) {
    return c.json({ header: { status: -1, message: "The anonymous account type does not permit API usage." } }, 403);
  }
  const wanted = numberParameter(c, "numres", 16);
  if (!isWithin(wanted, 1, 40)) return refused(c, "numres is out of range.");
  const allowance = c.get("scope").limits.take("saucenao", Date.now());
  if (!allowance.allowed) {
    return c.json({ header: { ...header(allowance), status: -2, message: "Search Rate Too High." } }, 429);
  }
  const shown = showing(c.req.query("url") ?? "");
  if (shown === undefined) return refused(c, "The remote file could not be fetched.");
  const images = c.get("findNothing") ? [] : [...shown.same, ...shown.others];
  const results = ROWS.flatMap((row, place) => {
    const image = images[place];
    return image === undefined ? [] : [resultOf(row, image)];
  }).slice(0, wanted);
  return c.json({
    header: { ...header(allowance), results_requested: wanted, results_returned: results.length },
    results: results.length > 0 ? results : null,
  });
});

/** Half of a minute's allowance is that of half a minute. */
function header({ limit, remaining }: Allowance): Record<string, unknown> {
  return saucenaoHeader({
    short_limit: String(Math.floor(limit / 2)),
    short_remaining: Math.max(-1, Math.floor(remaining / 2)),
  });
}

function refused(c: Context<SimulatorEnv>, message: string): Response {
  return c.json({ header: saucenaoHeader({ status: -3, message, results_returned: 0 }), results: [] });
}

function resultOf({ similarity, index, data, hidden = 0 }: (typeof ROWS)[number], image: WebImage): unknown {
  return {
    header: {
      similarity,
      thumbnail: image.thumbnailUrl,
      index_id: Number(/\d+/.exec(index)?.[0]),
      index_name: index,
      dupes: 0,
      hidden,
    },
    data: data(image),
  };
}
