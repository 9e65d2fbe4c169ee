import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import { serverTiming } from "../src/cascade/attempt.ts";
import { cacheHeaders } from "../src/cache/cache-status.ts";
import { redactorOf } from "../src/egress/redact.ts";
import type { AppEnv } from "./context.ts";

/**
 * One structured line a request, `Server-Timing` and `X-Request-Id` on the answer. Neither the query string nor a body
 * is logged: keys and what people search for stay out.
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const started = c.get("clock").now();
  c.set("requestId", crypto.randomUUID());
  c.set("attempts", []);
  c.set("lookups", []);
  await next();
  c.header("x-request-id", c.get("requestId"));
  if (c.get("attempts").length > 0) c.header("server-timing", serverTiming(c.get("attempts")));
  for (const [name, value] of Object.entries(cacheHeaders(c.get("lookups")))) c.header(name, value);
  writeLine(
    {
      level: c.res.status >= 500 ? "error" : "info",
      request_id: c.get("requestId"),
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      ms: c.get("clock").now() - started,
      tenant: c.get("caller")?.tenant,
      limiter: c.get("limiter"),
      attempts: c.get("attempts"),
      error: describe(c.error),
    },
    c.get("config")?.secrets ?? [],
  );
});

function describe(error: Error | undefined): Readonly<Record<string, unknown>> | undefined {
  if (error === undefined) return undefined;
  const code = "code" in error ? error.code : undefined;
  // Only an error that nobody foresaw needs its stack.
  return { name: error.name, code, message: error.message, ...(code === undefined ? { stack: error.stack } : {}) };
}

function writeLine(line: Readonly<Record<string, unknown>>, secrets: readonly string[]): void {
  console.log(redactorOf(secrets)(JSON.stringify(line)));
}
