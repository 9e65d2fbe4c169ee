import { type Context, Hono } from "hono";
import type { Picture } from "../catalogue/picture.ts";
import { hostedPicture } from "../hosting.ts";
import type { Rendition } from "../pixels/render.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { targetOf } from "../target.ts";
import { pexelsWantsName } from "./pexels.ts";
import { formatOfName, servePicture, serveTrouble } from "./serve-picture.ts";

/** Hosts that hold nothing but files: the catalogue says which. */
export const pictures = new Hono<SimulatorEnv>();

pictures.use("/images.pexels.com/*", pexelsWantsName);

pictures.get("/images.pexels.com/*", (c) => {
  const hosted = hostedPicture(addressOf(c));
  if (hosted === undefined) return c.notFound();
  if (hosted.trouble !== undefined) return serveTrouble(c, hosted.trouble);
  return servePicture(c, hosted.picture, { format: "jpeg", ...pexelsSize(c, hosted.picture) });
});

pictures.get("/*", async (c, next) => {
  const { path } = targetOf(c.req.path);
  const hosted = hostedPicture(addressOf(c) + new URL(c.req.url).search);
  if (hosted === undefined) return next();
  if (hosted.trouble !== undefined) return serveTrouble(c, hosted.trouble);
  // Many hosts of pictures prefer AVIF, whatever the file's name says, for clients that take it.
  const wantsAvif = (c.req.header("accept") ?? "").includes("image/avif");
  return servePicture(c, hosted.picture, { format: wantsAvif ? "avif" : formatOfName(path) });
});

function addressOf(c: Context<SimulatorEnv>): string {
  const { host, path } = targetOf(c.req.path);
  return `https://${host}${path}`;
}

/** Fits into `w` and `h`, never larger than the original; `fit=crop` fills them. */
function pexelsSize(c: Context<SimulatorEnv>, { width, height }: Picture): Pick<Rendition, "width" | "height"> {
  const density = Number(c.req.query("dpr") ?? 1);
  const wide = Number(c.req.query("w") ?? Number.POSITIVE_INFINITY) * density;
  const high = Number(c.req.query("h") ?? Number.POSITIVE_INFINITY) * density;
  if (c.req.query("fit") === "crop" && Number.isFinite(wide) && Number.isFinite(high))
    return { width: wide, height: high };
  const scale = Math.min(1, wide / width, high / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
