import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { acquireImage } from "../src/images/acquire.ts";
import { SluiceError } from "../src/errors.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { requireJson } from "./guards.ts";
import { imageRequestSchema, toImageRequest } from "./image-request.ts";
import { objectResponse } from "./object-response.ts";
import { projectOf, projectParam } from "./projects.ts";
import { attemptSchema, problemAnswers } from "./schemas.ts";

/** A search, and originals of up to 25 MiB each, tried one after another. */
const TIME_LIMIT_MS = 90_000;

const acquireRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/images",
  operationId: "acquireImage",
  summary: "Search, choose and store one license-cleared image",
  middleware: [requireScope("images"), requireJson] as const,
  request: {
    params: z.object({ project: projectParam }),
    body: { required: true, content: { "application/json": { schema: imageRequestSchema } } },
  },
  responses: {
    201: {
      description: "The image is stored, with its provenance",
      content: {
        "application/json": {
          schema: z
            .object({
              item: z.record(z.string(), z.unknown()).openapi({ description: "As it stands in image_sources.json" }),
              sha256: z.string(),
              bytes: z.int(),
              content_type: z.string(),
              file: z.string().openapi({ description: "Path of the image on this deployment" }),
              warnings: z.array(z.object({ pointer: z.string(), detail: z.string() })),
              attempts: z.array(attemptSchema),
            })
            .openapi("AcquiredImage"),
        },
      },
    },
    ...problemAnswers(400, 401, 403, 409, 413, 415, 422, 502, 503),
  },
});

export function imageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(acquireRoute, async (c) => {
    const { project } = c.req.valid("param");
    const { request, warnings } = toImageRequest(c.req.valid("json"));
    const { identity, stub } = projectOf(c, project);
    const now = c.var.clock.now();
    const acquired = await acquireImage(request, jobContext(c, TIME_LIMIT_MS), {
      bucket: c.env.BUCKET,
      tenant: identity.tenant,
      refusalFor: async (filename) => stub.refusalFor(filename, "search"),
      commit: async (commit) => stub.commit(identity, commit, now),
    });
    c.set("attempts", acquired.attempts);
    return c.json(
      {
        item: acquired.commit.item as unknown as Record<string, unknown>,
        sha256: acquired.commit.sha256,
        bytes: acquired.commit.bytes,
        content_type: acquired.commit.contentType,
        file: `/v1/projects/${project}/files/images/${encodeURIComponent(acquired.commit.filename)}`,
        warnings,
        attempts: [...acquired.attempts],
      },
      201,
    );
  });

  app.get("/v1/projects/:project/files/image_sources.json", requireScope("images"), async (c) => {
    const manifest = await projectOf(c, checkedProject(c.req.param("project"))).stub.manifest();
    return c.body(manifest, 200, { "content-type": "application/json", "cache-control": "no-store" });
  });

  app.get("/v1/projects/:project/files/images/:filename", requireScope("images"), async (c) => {
    const { identity, stub } = projectOf(c, checkedProject(c.req.param("project")));
    const record = await stub.image(c.req.param("filename"));
    const object = record === undefined ? null : await c.env.BUCKET.get(objectKey(identity.tenant, record.sha256));
    if (object === null) throw new SluiceError("not-found", "The project has no image of this name.");
    return objectResponse(object);
  });

  return app;
}

function checkedProject(name: string): string {
  const parsed = projectParam.safeParse(name);
  if (!parsed.success) throw new SluiceError("not-found", "There is no project of this name.");
  return parsed.data;
}
