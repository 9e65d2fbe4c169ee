import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./context.ts";

const DAY_SECONDS = 24 * 60 * 60;

const opened = cors({
  origin: (origin) => origin,
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "authorization",
    "content-type",
    "accept",
    "if-none-match",
    "idempotency-key",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
  ],
  exposeHeaders: [
    "x-request-id",
    "server-timing",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "location",
    "etag",
    "allow",
    "content-disposition",
  ],
  maxAge: DAY_SECONDS,
});

/**
 * Lets pages of the origins in CORS_ORIGINS read answers, and nobody else's. Never with credentials: a browser that has
 * saved a key for this origin does not send it along.
 */
export const crossOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const { corsOrigins } = c.var.config;
  if (corsOrigins.includes(c.req.header("origin") ?? "")) return opened(c, next);
  await next();
  // The same address answers differently to others.
  if (corsOrigins.length > 0) c.header("vary", "Origin", { append: true });
});
