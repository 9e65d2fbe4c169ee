import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import pMap from "p-map";
import { SluiceError } from "../src/errors.ts";
import { projectNameField } from "../src/project-name.ts";
import { deleteProjectFiles, listProjects } from "../src/storage/project-marker.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { batchOf } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly } from "./guards.ts";
import { type Project, projectOf, projectParam } from "./projects.ts";
import { json, keyWith, problemAnswers } from "./schemas.ts";

const PAGE_SIZE = 50;
const BATCHES_AT_ONCE = 6;

const listRoute = createRoute({
  method: "get",
  path: "/v1/projects",
  operationId: "listProjects",
  summary: "Your projects by name",
  tags: ["Projects"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: { query: z.object({ after: projectNameField.optional() }) },
  responses: {
    200: json(
      "At most 50; `next` is the `after` of the next page",
      z
        .object({
          projects: z.array(
            z.object({
              project: z.string(),
              changed_at: z.iso.datetime().nullable().openapi({ description: "Up to 15 seconds late" }),
            }),
          ),
          next: z.string().nullable(),
        })
        .openapi("Projects"),
      { projects: [{ project: "deck-7", changed_at: "2026-11-03T08:30:00.000Z" }], next: null },
    ),
    ...problemAnswers(400, 401),
  },
});

const removeRoute = createRoute({
  method: "delete",
  path: "/v1/projects/{project}",
  operationId: "removeProject",
  summary: "Forget a project: its batches end, its images and candidates are gone",
  tags: ["Projects"],
  security: ["bearer", "basic", "key"].map((scheme) => ({ [scheme]: ["images", "batches"] })),
  middleware: [requireScope("images", "batches")] as const,
  request: { params: z.object({ project: projectParam }) },
  responses: { 204: { description: "It is gone" }, ...problemAnswers(400, 401, 404) },
});

export function projectRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(listRoute, async (c) => {
    const { tenant } = c.var.caller;
    const { projects, next } = await listProjects(c.env.BUCKET, tenant, c.req.valid("query").after, PAGE_SIZE);
    const entries = projects.map(({ name, changedAt }) => ({
      project: name,
      changed_at: changedAt === undefined ? null : new Date(changedAt).toISOString(),
    }));
    return c.json({ projects: entries, next: next ?? null }, 200);
  });

  app.openapi(removeRoute, async (c) => {
    if (!(await removeProject(c, projectOf(c, c.req.valid("param").project)))) {
      throw new SluiceError("not-found", "There is no project of this name.");
    }
    return c.body(null, 204);
  });

  allowOnly(app, "/v1/projects", ["GET"]);
  allowOnly(app, "/v1/projects/:project", ["DELETE"]);
  return app;
}

/** Whether there was one. Should it be cut off half-way, the same call again goes on where it was. */
async function removeProject(c: Context<AppEnv>, project: Project): Promise<boolean> {
  const { identity, stub } = project;
  const hadBatches = await removeBatches(c, project);
  const hadImages = await stub.clear();
  const hadFiles = await deleteProjectFiles(c.env.BUCKET, identity.tenant, identity.project);
  return hadBatches || hadImages || hadFiles;
}

async function removeBatches(c: Context<AppEnv>, project: Project): Promise<boolean> {
  for (let found = false; ; found = true) {
    const ids = (await project.stub.batches(undefined, PAGE_SIZE)).batches.map(({ id }) => id);
    if (ids.length === 0) return found;
    await pMap(ids, (id) => batchOf(c, project, id).erase(), { concurrency: BATCHES_AT_ONCE });
    await project.stub.removeBatches(ids);
  }
}
