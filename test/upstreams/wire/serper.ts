import { type Context, Hono } from "hono";
import { z } from "zod";
import { PAGES } from "../catalogue/pages.ts";
import { WEB_IMAGES } from "../catalogue/web-images.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, slice } from "./answering.ts";

const bodySchema = z.object({
  q: z.string().min(1),
  num: z.int().min(1).max(100).default(10),
  page: z.int().min(1).default(1),
});

type Body = z.infer<typeof bodySchema>;

/** Wire: google.serper.dev. */
export const serper = new Hono<SimulatorEnv>();

serper.post("/search", (c) =>
  answer(c, ({ q, num, page }) => ({
    organic: slice(found(c, PAGES, q), (page - 1) * num, num).map(({ title, link, snippet, date }, index) => ({
      title,
      link,
      snippet,
      date,
      position: index + 1,
    })),
  })),
);

serper.post("/images", (c) =>
  answer(c, ({ q, num, page }) => ({
    images: slice(found(c, WEB_IMAGES, q), (page - 1) * num, num).map((image, index) => ({
      title: image.title,
      imageUrl: image.imageUrl,
      imageWidth: image.picture.width,
      imageHeight: image.picture.height,
      thumbnailUrl: image.thumbnailUrl,
      source: image.source,
      domain: new URL(image.pageUrl).host,
      link: image.pageUrl,
      position: index + 1,
    })),
  })),
);

async function answer(
  c: Context<SimulatorEnv>,
  lists: (body: Body) => Record<string, readonly unknown[]>,
): Promise<Response> {
  if (c.req.header("x-api-key") !== TEST_KEYS.SERPER_API_KEY) {
    return c.json({ message: "Unauthorized.", statusCode: 403 }, 403);
  }
  const parsed = bodySchema.safeParse(await c.req.json().catch(() => undefined));
  if (!parsed.success) {
    const missing = parsed.error.issues.some(({ path }) => path[0] === "q");
    return c.json({ message: missing ? "Missing query parameter" : "Invalid parameter", statusCode: 400 }, 400);
  }
  return c.json({ searchParameters: { ...parsed.data, engine: "google" }, ...lists(parsed.data), credits: 1 });
}
