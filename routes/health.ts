import { OpenAPIHono } from "@hono/zod-openapi";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";

/** `GET /healthz`: 200 as soon as requests are served and the configuration can be read. */
export function healthRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  return app;
}
