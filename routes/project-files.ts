import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { ProjectFile } from "../durable-objects/project.ts";
import { SluiceError } from "../src/errors.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { newestQueries, QUERIES } from "./newest-queries.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { BYTES, objectResponse } from "./object-response.ts";
import { projectOf, projectParam } from "./projects.ts";
import { keyWith, problemAnswers } from "./schemas.ts";

const PATH = "/v1/projects/:project/files/:path{.+}";

// OpenAPI has no parameter with slashes in it, so the path that is routed is another one.
const route = createRoute({
  method: "get",
  path: "/v1/projects/{project}/files/{path}",
  operationId: "getFile",
  summary: "Images, candidates, review pictures and manifests as files",
  description: "`path` may have slashes, as they are: `candidates/alps/review_sheet.jpg`.",
  tags: ["Images"],
  security: keyWith("images"),
  request: {
    params: z.object({ project: projectParam, path: z.string().openapi({ example: "image_sources.json" }) }),
  },
  responses: {
    200: {
      description: "The file",
      content: {
        "application/json": { schema: z.record(z.string(), z.unknown()), example: { items: [] } },
        "image/*": { schema: BYTES },
      },
    },
    ...problemAnswers(401, 404),
  },
});

export function projectFileRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.openAPIRegistry.registerPath(route);
  app.get(PATH, requireScope("images"), async (c) => {
    const project = projectOf(c, c.req.param("project"));
    const { identity, stub } = project;
    const path = c.req.param("path");
    const queries = path === QUERIES ? await newestQueries(c, project) : undefined;
    const file: ProjectFile | undefined =
      queries === undefined ? await stub.file(path) : { kind: "json", body: queries };
    if (file?.kind === "json") {
      return c.body(file.body, 200, { "content-type": "application/json", "cache-control": "no-store" });
    }
    const object = file === undefined ? null : await c.env.BUCKET.get(objectKey(identity.tenant, file.sha256));
    if (object === null) throw new SluiceError("not-found", "The project has no file of this name.");
    return objectResponse(object, "no-cache");
  });
  allowOnly(app, PATH, ["GET"]);
  return app;
}
