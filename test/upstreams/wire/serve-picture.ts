import type { Context } from "hono";
import type { Picture, Trouble } from "../catalogue/picture.ts";
import { type Format, render, type Rendition } from "../pixels/render.ts";
import type { SimulatorEnv } from "../simulator-env.ts";

/** Answers with a picture's bytes. */
export async function servePicture(
  c: Context<SimulatorEnv>,
  picture: Picture,
  rendition: Rendition,
): Promise<Response> {
  return serveBytes(c, await render(picture, rendition), `image/${rendition.format}`);
}

/** With a length, and never with a Content-Encoding. */
export function serveBytes(c: Context<SimulatorEnv>, bytes: Uint8Array<ArrayBuffer>, contentType: string): Response {
  return c.body(bytes, 200, { "content-type": contentType, "content-length": String(bytes.byteLength) });
}

/** What comes instead of an original that is gone or hidden behind a page. */
export function serveTrouble(c: Context<SimulatorEnv>, trouble: Trouble): Response {
  return trouble === "dead"
    ? c.text("404: not found\n", 404)
    : c.html("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to see this photo</body></html>\n");
}

export function formatOfName(name: string): Format {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (extension === "png" || extension === "webp") return extension;
  return extension === "tif" || extension === "tiff" ? "tiff" : "jpeg";
}
