import { Hono } from "hono";
import { PAGES } from "../catalogue/pages.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { targetOf } from "../target.ts";

const byLink = new Map(PAGES.map((page) => [page.link, page]));

/** The pages that web engines list. */
export const pages = new Hono<SimulatorEnv>();

pages.get("/*", async (c, next) => {
  const { host, path } = targetOf(c.req.path);
  const page = byLink.get(`https://${host}${path}`);
  if (page === undefined) return next();
  return c.html(
    `<!DOCTYPE html><html><head><title>${page.title}</title></head><body><p>${page.snippet}</p></body></html>\n`,
  );
});
