import { createHash } from "node:crypto";
import { Hono } from "hono";
import sharp from "sharp";
import { imgbbError } from "../cases/imgbb.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { isWithin } from "./answering.ts";

const LONGEST_SECONDS = 15_552_000;

/** Wire: api.imgbb.com. */
export const imgbb = new Hono<SimulatorEnv>();

imgbb.post("/1/upload", async (c) => {
  const form = new URLSearchParams(await c.req.text());
  const field = (name: string): string => form.get(name) ?? c.req.query(name) ?? "";
  if (field("key") !== TEST_KEYS.IMGBB_API_KEY) return c.json(imgbbError(100, "Invalid API v1 key."), 400);
  const source = field("image");
  if (source === "") return c.json(imgbbError(130, "Empty upload source."), 400);
  const bytes = Buffer.from(source, "base64");
  const size = await sizeOf(bytes);
  if (size === undefined) return c.json(imgbbError(310, "Can't get target upload source info."), 400);
  // Without one a picture stays for good: nobody who means well asks for that here.
  const expiration = Number(field("expiration"));
  if (!isWithin(expiration, 60, LONGEST_SECONDS)) return c.json(imgbbError(105, "Invalid expiration value."), 400);
  const id = createHash("sha1").update(bytes).digest("hex").slice(0, 7);
  const url = `https://i.ibb.co/${id}/image.${size.type}`;
  return c.json({
    data: {
      id,
      title: "image",
      url_viewer: `https://ibb.co/${id}`,
      url,
      display_url: url,
      width: String(size.width),
      height: String(size.height),
      size: String(bytes.byteLength),
      time: String(Math.floor(Date.now() / 1000)),
      expiration: String(expiration),
      image: { filename: `image.${size.type}`, name: "image", mime: `image/${size.type}`, extension: size.type, url },
      thumb: { filename: `image.${size.type}`, url: `https://i.ibb.co/${id}/thumb.${size.type}` },
      delete_url: `https://ibb.co/${id}/0f9e8d`,
    },
    success: true,
    status: 200,
  });
});

async function sizeOf(bytes: Uint8Array): Promise<{ width: number; height: number; type: string } | undefined> {
  try {
    const { width, height, format } = await sharp(bytes).metadata();
    return { width, height, type: format };
  } catch {
    return undefined;
  }
}
