import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { acquireImage } from "../src/images/acquire.ts";
import { toImageRequest } from "../src/images/row.ts";
import { showCandidates } from "../src/images/candidates.ts";
import { promotionFields } from "../src/images/choice-fields.ts";
import { promoteCandidate } from "../src/images/promote.ts";
import { TIME_LIMITS_MS } from "../src/time-limits.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { ACQUIRED, CANDIDATES, IMAGE } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { imageRequestSchema } from "./image-request.ts";
import {
  acquiredBody,
  acquiredSchema,
  candidatePageBody,
  candidatePageSchema,
  imageParams,
  recordBody,
  recordSchema,
} from "./image-views.ts";
import { projectOf, projectParam, sinkOf } from "./projects.ts";
import { reconcileRow } from "./reconcile.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const PAGE_SIZE = 50;

const acquireRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/images",
  operationId: "acquireImage",
  summary: "Search one license-cleared image: store the best, or show candidates to choose from",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images"), requireJson] as const,
  request: {
    params: z.object({ project: projectParam }),
    body: jsonBody(imageRequestSchema, { filename: "alps.jpg", query: "french alpine landscape" }),
  },
  responses: {
    200: json(
      "A page of candidates is ready (`save_candidates`); no original was asked for",
      candidatePageSchema,
      CANDIDATES,
    ),
    201: json("The image is stored, with its provenance", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 401, 403, 409, 413, 415, 422, 502, 503),
  },
});

export const promotionSchema = z.strictObject(promotionFields).openapi("Promotion");

const promoteRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/images/{filename}/promote",
  operationId: "promoteCandidate",
  summary: "Download one candidate's original and store it",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images"), requireJson] as const,
  request: {
    params: imageParams,
    body: jsonBody(promotionSchema, { candidate: "candidate_03.jpg" }),
  },
  responses: {
    201: json("The image is stored, with its provenance", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 401, 403, 404, 409, 413, 415, 422, 502, 503),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/images",
  operationId: "listImages",
  summary: "The images of a project, in the order of its manifest",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: {
    params: z.object({ project: projectParam }),
    query: z.object({ after: z.coerce.number().int().min(0).default(0) }),
  },
  responses: {
    200: json(
      "At most 50; `next` is the `after` of the next page",
      z.object({ images: z.array(recordSchema), next: z.int().nullable() }),
      { images: [IMAGE], next: null },
    ),
    ...problemAnswers(400, 401),
  },
});

const getRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/images/{filename}",
  operationId: "getImage",
  summary: "Where an image came from",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: { params: imageParams },
  responses: { 200: json("Its provenance", recordSchema, IMAGE), ...problemAnswers(400, 401, 404) },
});

const removeRoute = createRoute({
  method: "delete",
  path: "/v1/projects/{project}/images/{filename}",
  operationId: "removeImage",
  summary: "Forget an image and its candidates",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images")] as const,
  request: { params: imageParams },
  responses: { 204: { description: "It is gone" }, ...problemAnswers(400, 401, 404) },
});

export function imageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(acquireRoute, async (c) => {
    const body = c.req.valid("json");
    const { request, warnings } = toImageRequest(body);
    const project = projectOf(c, c.req.valid("param").project);
    const sink = sinkOf(c, project);
    const context = await jobContext(c, TIME_LIMITS_MS.acquireImage);
    if (!body.save_candidates) {
      const { commit, attempts } = await acquireImage(request, sink, context);
      c.set("attempts", attempts);
      return c.json(
        { ...acquiredBody(project.identity, commit), warnings: [...warnings], attempts: [...attempts] },
        201,
      );
    }
    const page = await showCandidates(request, body.candidate_page, body.max_candidates, sink, context);
    c.set("attempts", page.attempts);
    return c.json(candidatePageBody(project.identity, page, warnings), 200);
  });

  app.openapi(promoteRoute, async (c) => {
    const { project, filename } = c.req.valid("param");
    const { candidate, identity_confirmed: confirmed } = c.req.valid("json");
    const of = projectOf(c, project);
    const context = await jobContext(c, TIME_LIMITS_MS.acquireImage);
    const commit = await promoteCandidate(filename, candidate, confirmed, sinkOf(c, of), context);
    await reconcileRow(c, of, commit);
    return c.json({ ...acquiredBody(of.identity, commit), warnings: [], attempts: [] }, 201);
  });

  app.openapi(listRoute, async (c) => {
    const { identity, stub } = projectOf(c, c.req.valid("param").project);
    const { images, next } = await stub.images(c.req.valid("query").after, PAGE_SIZE);
    return c.json({ images: images.map((record) => recordBody(identity, record)), next: next ?? null }, 200);
  });

  app.openapi(getRoute, async (c) => {
    const { project, filename } = c.req.valid("param");
    const { identity, stub } = projectOf(c, project);
    const record = await stub.image(filename);
    if (record === undefined) throw noImage();
    return c.json(recordBody(identity, record), 200);
  });

  app.openapi(removeRoute, async (c) => {
    const { project, filename } = c.req.valid("param");
    const { identity, stub } = projectOf(c, project);
    if (!(await stub.remove(identity, filename, c.var.clock.now()))) throw noImage();
    return c.body(null, 204);
  });

  allowOnly(app, "/v1/projects/:project/images", ["GET", "POST"]);
  allowOnly(app, "/v1/projects/:project/images/:filename", ["GET", "DELETE"]);
  allowOnly(app, "/v1/projects/:project/images/:filename/promote", ["POST"]);
  return app;
}

function noImage(): SluiceError {
  return new SluiceError("not-found", "The project has no image of this name.");
}
