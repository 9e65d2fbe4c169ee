import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ProjectFile } from "../durable-objects/project.ts";
import { SluiceError } from "../src/errors.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { objectResponse } from "./object-response.ts";
import { type Project, projectOf } from "./projects.ts";

/** Belongs to the newest batch: as it stands, it can be saved and sent again. */
const QUERIES = "image_queries.json";

const PATH = "/v1/projects/:project/files/:path{.+}";

/** `GET /v1/projects/{project}/files/{path}`: images, candidates, review pictures and manifests as files. */
export function projectFileRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get(PATH, requireScope("images"), async (c) => {
    const project = projectOf(c, c.req.param("project"));
    const { identity, stub } = project;
    const path = c.req.param("path");
    const file = path === QUERIES ? await newestQueries(c, project) : await stub.file(path);
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

async function newestQueries(c: Context<AppEnv>, project: Project): Promise<ProjectFile | undefined> {
  const [newest] = (await project.stub.batches(undefined, 1)).batches;
  return newest === undefined ? undefined : { kind: "json", body: await batchOf(c, project, newest.id).queries() };
}
