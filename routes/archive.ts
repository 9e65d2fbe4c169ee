import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { archiveResource, readArchiveResource } from "../src/storage/link-resources.ts";
import { publicLink } from "../src/storage/public-link.ts";
import type { App } from "./app.ts";
import { archiveResponse } from "./archive-files.ts";
import { requireScope } from "./auth.ts";
import type { AppEnv } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly } from "./guards.ts";
import { openLink, requireLink } from "./link-access.ts";
import { BYTES } from "./object-response.ts";
import { projectOf, projectParam } from "./projects.ts";
import { json, keyWith, NO_KEY, problemAnswers } from "./schemas.ts";

const LINK_SECONDS = 10 * 60;

const params = z.object({ project: projectParam });
const zip = {
  description: "`images/…`, `image_sources.json`, `image_queries.json` of the newest batch, and `CREDITS.md`",
  content: { "application/zip": { schema: BYTES } },
};

const getRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/archive.zip",
  operationId: "getArchive",
  summary: "Everything of a project as a zip",
  tags: ["Projects"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: { params },
  responses: { 200: zip, ...problemAnswers(400, 401, 404) },
});

const linkRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/archive-link",
  operationId: "makeArchiveLink",
  summary: "An address of the zip for a browser, which cannot send a key with a download",
  tags: ["Projects"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: { params },
  responses: {
    201: json(
      "Works for ten minutes",
      z.object({ url: z.url(), expires_at: z.iso.datetime() }).openapi("ArchiveLink"),
      { url: "https://sluice.example/archive/WyJsb2NhbCIs.c2ln/deck-7.zip", expires_at: "2026-11-03T08:30:00.000Z" },
    ),
    ...problemAnswers(400, 401, 503),
  },
});

const openRoute = createRoute({
  method: "get",
  path: "/archive/{token}/{name}",
  operationId: "openArchive",
  summary: "The zip that a link opens, without any header",
  tags: ["Projects"],
  security: NO_KEY,
  middleware: [requireLink(readArchiveResource, "archive", "act")] as const,
  request: {
    params: z.object({
      token: z.string().max(4_000).openapi({ example: "WyJsb2NhbCIs.c2ln" }),
      name: z.string().openapi({ description: "For the reader only", example: "deck-7.zip" }),
    }),
  },
  responses: { 200: zip, ...problemAnswers(403, 404, 429) },
});

/** A project's images, manifests and credits in one file. */
export function archiveRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(getRoute, (c) => archiveResponse(c, c.req.valid("param").project));

  app.openapi(linkRoute, async (c) => {
    const { project } = projectOf(c, c.req.valid("param").project).identity;
    const expires = Math.floor(c.var.clock.now() / 1000) + LINK_SECONDS;
    const { tenant } = c.var.caller;
    const grant = { tenant, resource: archiveResource(project), actions: ["archive" as const], expires };
    const url = await publicLink("archive", grant, `${project}.zip`, c.var.config);
    return c.json({ url, expires_at: new Date(expires * 1000).toISOString() }, 201);
  });

  app.openapi(openRoute, async (c) => archiveResponse(c, (await openLink(c, readArchiveResource)).resource));

  allowOnly(app, "/v1/projects/:project/archive.zip", ["GET"]);
  allowOnly(app, "/v1/projects/:project/archive-link", ["POST"]);
  allowOnly(app, "/archive/:token/:name", ["GET"]);
  return app;
}
