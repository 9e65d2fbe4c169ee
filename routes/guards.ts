import { createMiddleware } from "hono/factory";
import { SluiceError } from "../src/errors.ts";
import type { AppEnv } from "./context.ts";
import type { App } from "./app.ts";

/** Refuses a body that does not say it is JSON. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new SluiceError("unsupported-media-type", "The body must have the Content-Type application/json.");
  }
  await next();
});

/** Every other method on `path` is answered 405 with `Allow`. Called after the path's own routes. */
export function allowOnly(app: App, path: string, methods: readonly string[]): void {
  app.all(path, (c) => {
    c.header("allow", methods.join(", "));
    throw new SluiceError("method-not-allowed", `${c.req.method} is not allowed here; use ${methods.join(" or ")}.`);
  });
}
