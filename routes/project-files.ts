import { OpenAPIHono } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { objectResponse } from "./object-response.ts";
import { projectOf } from "./projects.ts";

const PATH = "/v1/projects/:project/files/:path{.+}";

/** `GET /v1/projects/{project}/files/{path}`: images, candidates, review pictures and manifests as files. */
export function projectFileRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get(PATH, requireScope("images"), async (c) => {
    const { identity, stub } = projectOf(c, c.req.param("project"));
    const file = await stub.file(c.req.param("path"));
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
