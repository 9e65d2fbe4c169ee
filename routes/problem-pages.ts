import { OpenAPIHono } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { PROBLEMS } from "./problems.ts";

/** Where the `type` of every problem leads: what it means and what to do, as plain text. */
export function problemRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get("/problems/:code", (c) => {
    const kind = Object.entries(PROBLEMS).find(([code]) => code === c.req.param("code"))?.[1];
    if (kind === undefined) throw new SluiceError("not-found", "There is no problem of this name.");
    return c.text(`${kind.title} (HTTP ${kind.status})\n\n${kind.remedy}\n`);
  });
  return app;
}
