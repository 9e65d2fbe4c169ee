import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import ipaddr from "ipaddr.js";
import { SluiceError } from "../src/errors.ts";
import type { AppEnv } from "./context.ts";

/** Refuses what a page of another origin sends, unless CORS_ORIGINS names it; who is no page sends no `Origin`. */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  refuseForeignPages(c);
  await next();
});

/**
 * For a caller who needs no key, so that a page which this machine's browser shows cannot be one: neither by a request
 * across origins, nor by a name of its own that it made to lead here (DNS rebinding). Throws `forbidden`.
 */
export function refuseForeignBrowsers(c: Context<AppEnv>): void {
  refuseForeignPages(c);
  const { publicUrl } = c.var.config;
  const asked = new URL(c.req.url);
  if (cannotBeRebound(asked.hostname) || (publicUrl !== undefined && asked.host === new URL(publicUrl).host)) return;
  throw new SluiceError("forbidden", "Without a key, only the address in PUBLIC_URL or a numeric one may be asked.");
}

function refuseForeignPages(c: Context<AppEnv>): void {
  const origin = c.req.header("origin");
  if (origin === undefined || isOurs(origin, new URL(c.req.url), c.var.config)) return;
  throw new SluiceError("forbidden", "Pages of another origin may not call this.");
}

function isOurs(origin: string, asked: URL, config: AppEnv["Variables"]["config"]): boolean {
  if (config.publicUrl !== undefined && origin === new URL(config.publicUrl).origin) return true;
  if (config.corsOrigins.includes(origin)) return true;
  if (origin !== asked.origin) return false;
  return config.localTenant === undefined || cannotBeRebound(asked.hostname);
}

/** Browsers put the name into the address that a page has; only a number or `localhost` leads where it says. */
function cannotBeRebound(hostname: string): boolean {
  return hostname === "localhost" || ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""));
}
