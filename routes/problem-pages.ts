import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { PROBLEMS } from "./problems.ts";
import { NO_KEY, problemAnswers } from "./schemas.ts";

const route = createRoute({
  method: "get",
  path: "/problems/{code}",
  operationId: "getProblem",
  summary: "What a problem means and what to do: where its `type` leads",
  tags: ["Deployment"],
  security: NO_KEY,
  request: { params: z.object({ code: z.string().openapi({ example: "no-match" }) }) },
  responses: {
    200: { description: "As plain text", content: { "text/plain": { schema: z.string() } } },
    ...problemAnswers(404),
  },
});

export function problemRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.openapi(route, (c) => {
    const kind = Object.entries(PROBLEMS).find(([code]) => code === c.req.valid("param").code)?.[1];
    if (kind === undefined) throw new SluiceError("not-found", "There is no problem of this name.");
    return c.text(`${kind.title} (HTTP ${kind.status})\n\n${kind.remedy}\n`, 200);
  });
  return app;
}
