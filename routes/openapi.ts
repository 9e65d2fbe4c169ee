import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { etag } from "hono/etag";
import { VERSION } from "../src/config.ts";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { registerWebhooks } from "./openapi-webhooks.ts";
import { json, keyWith, NO_KEY, problemAnswers } from "./schemas.ts";

const PATH = "/openapi.json";

const TAGS = [
  { name: "Search", description: "The web, images, images by an image, and SearchGen's contract" },
  { name: "Answers", description: "A question answered with its sources" },
  { name: "Chat", description: "A model's answer over search tools, and the tools themselves" },
  { name: "Images", description: "License-cleared images of a project: candidates, promotion, provenance, files" },
  { name: "Review", description: "The review page of one image, for somebody who has its link and no key" },
  { name: "Projects", description: "Projects as a whole: list, archive, removal" },
  { name: "Batches", description: "Many images by one `image_queries.json`" },
  { name: "Webhooks", description: "What Sluice sends and takes by Standard Webhooks" },
  { name: "MCP", description: "The same for agents, as tools of the Model Context Protocol" },
  { name: "Deployment", description: "What this deployment can do, and how it is" },
];

const DESCRIPTION = `Search at the edge whose results can be used without worry.

- A key goes into \`Authorization: Bearer\`, the password of Basic, or \`?key=\`. The scope that each operation needs stands in its \`security\`.
- Errors are RFC 9457 problems with a stable \`code\`. Another method than those listed for a path is answered 405 with \`Allow\`.
- Every answer has \`X-Request-Id\`; one that asked providers has \`Server-Timing\`, and one to a key with a rate has \`RateLimit\` and \`RateLimit-Policy\`.
- In an answer of \`text/event-stream\` the schema lists the events; each \`data\` is JSON by its \`contentSchema\`.`;

const route = createRoute({
  method: "get",
  path: PATH,
  operationId: "getDescription",
  summary: "This document",
  tags: ["Deployment"],
  security: NO_KEY,
  middleware: [etag()] as const,
  responses: {
    200: json("OpenAPI 3.1", z.looseObject({ openapi: z.string() }), { openapi: "3.1.0" }),
    304: { description: "The document with the `ETag` of `If-None-Match` is the one that stands" },
    ...problemAnswers(),
  },
});

/** `GET /openapi.json`: what every route of `app` says of itself, put together at the first request. */
export function openApiRoutes(app: App): App {
  let described: ReturnType<typeof describe> | undefined;
  const own: App = new OpenAPIHono<AppEnv>({ strict: false });
  own.openapi(route, (c) => {
    described ??= describe(app);
    const servers = [{ url: c.var.config.publicUrl ?? "/" }];
    c.header("cache-control", "public, max-age=300");
    return c.json({ ...described, servers }, 200);
  });
  allowOnly(own, PATH, ["GET"]);
  return own;
}

function describe(app: App) {
  registerWebhooks(app.openAPIRegistry);
  const schemes = {
    bearer: { type: "http", scheme: "bearer", description: "The key itself" },
    basic: { type: "http", scheme: "basic", description: "The key as password, or as user" },
    key: { type: "apiKey", in: "query", name: "key", description: "For clients that can send nothing else" },
  } as const;
  for (const [name, scheme] of Object.entries(schemes)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Sluice",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "Apache 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    tags: TAGS,
    security: keyWith(),
  });
}
