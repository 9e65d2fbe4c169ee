import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { json, NO_KEY, problemAnswers } from "./schemas.ts";

const route = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  summary: "200 as soon as requests are served and the configuration can be read",
  tags: ["Deployment"],
  security: NO_KEY,
  responses: {
    200: json("It works", z.object({ status: z.literal("ok") }), { status: "ok" }),
    ...problemAnswers(),
  },
});

export function healthRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.openapi(route, (c) => c.json({ status: "ok" as const }, 200));
  return app;
}
