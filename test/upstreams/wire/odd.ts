import { Hono } from "hono";
import { endlessBody } from "../body-faults.ts";
import { ODD_FILES } from "../pixels/odd.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { serveBytes } from "./serve-picture.ts";

const made = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Files of odd kinds, each made when it is first asked for. */
export const odd = new Hono<SimulatorEnv>();

odd.get("/endless.jpg", (c) => c.body(endlessBody("image/jpeg"), 200, { "content-type": "image/jpeg" }));

odd.get("/:name", async (c) => {
  const name = c.req.param("name");
  const file = Object.hasOwn(ODD_FILES, name) ? ODD_FILES[name] : undefined;
  if (file === undefined) return c.text(`odd.example has: ${Object.keys(ODD_FILES).join(", ")}, endless.jpg\n`, 404);
  let bytes = made.get(name);
  if (bytes === undefined) {
    bytes = Promise.resolve(file.make()).then((result) => new Uint8Array(result));
    made.set(name, bytes);
  }
  return serveBytes(c, await bytes, file.contentType);
});
