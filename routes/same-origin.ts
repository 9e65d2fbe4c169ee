import { createMiddleware } from "hono/factory";
import { SluiceError } from "../src/errors.ts";
import type { AppEnv } from "./context.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Refuses what a page of another origin sends; who is no page sends no `Origin`. */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header("origin");
  if (origin !== undefined && !isOurs(origin, new URL(c.req.url), c.var.config)) {
    throw new SluiceError("forbidden", "Pages of another origin may not call this.");
  }
  await next();
});

function isOurs(origin: string, asked: URL, config: AppEnv["Variables"]["config"]): boolean {
  if (config.publicUrl !== undefined && origin === new URL(config.publicUrl).origin) return true;
  if (origin !== asked.origin) return false;
  // Where no key is needed, a foreign name that was made to point here (DNS rebinding) must not be enough.
  return config.localTenant === undefined || LOOPBACK.test(asked.hostname);
}
