import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { NO_KEY, problemAnswers } from "./schemas.ts";

const PATH = "/docs";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/swagger-ui/swagger-ui.css">
<script defer src="/assets/swagger-ui/swagger-ui-bundle.js"></script>
<script type="module" src="/assets/docs.js"></script>
</head>
<body>
<main id="docs"><noscript>This page needs JavaScript; the description itself is <a href="/openapi.json">openapi.json</a>.</noscript></main>
</body>
</html>
`;

/** The viewer writes styles into its elements; its scripts, requests and pictures are ours alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const route = createRoute({
  method: "get",
  path: PATH,
  operationId: "getDocs",
  summary: "A page to read this description and try it",
  tags: ["Deployment"],
  security: NO_KEY,
  responses: {
    200: { description: "The page", content: { "text/html": { schema: z.string() } } },
    ...problemAnswers(),
  },
});

export function docsRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false });
  app.openapi(route, (c) => {
    c.header("content-security-policy", POLICY);
    c.header("cache-control", "public, max-age=300");
    return c.html(PAGE, 200);
  });
  allowOnly(app, PATH, ["GET"]);
  return app;
}
