import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { acquireFromUrl, acquireUpload, type ManualRequest } from "../src/images/manual.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { ACQUIRED } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { validFilename } from "./image-request.ts";
import { acquiredBody, acquiredSchema, imageParams } from "./image-views.ts";
import { projectOf, sinkOf } from "./projects.ts";
import { reconcileRow } from "./reconcile.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const TIME_LIMIT_MS = 60_000;

const httpUrl = z.url({ protocol: /^https?$/ }).max(2_000);
const side = z.coerce.number().int().min(1).max(20_000);
const floors = { min_width: side.default(1_200), min_height: side.default(800) };
const details = {
  ...floors,
  slide: z.string().max(200).optional(),
  purpose: z.string().max(400).optional(),
  search_query: z.string().max(400).optional(),
};

/** A picture that a person names, where everything else is known already. */
export const urlFields = { url: httpUrl, ...floors };

const fromUrlRoute = createRoute({
  method: "put",
  path: "/v1/projects/{project}/images/{filename}/from-url",
  operationId: "replaceFromUrl",
  summary: "Put the picture behind a URL that you chose under a filename",
  tags: ["Images"],
  security: keyWith("images"),
  description: "Recorded as `manual`: its license is not verified, rights and credit are yours to clear.",
  middleware: [requireScope("images"), requireJson] as const,
  request: {
    params: imageParams,
    body: jsonBody(z.strictObject({ url: httpUrl, ...details }).openapi("FromUrl"), {
      url: "https://example.org/picture.jpg",
      slide: "3",
    }),
  },
  responses: {
    201: json("The image is stored as `manual`", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 401, 403, 409, 413, 415, 422, 502, 503),
  },
});

const uploadRoute = createRoute({
  method: "put",
  path: "/v1/projects/{project}/images/{filename}/upload",
  operationId: "uploadImage",
  summary: "Put bytes that you have under a filename, with the page they come from",
  tags: ["Images"],
  security: keyWith("images"),
  description: "The body is the picture itself, 25 MiB at most. Recorded as `manual`.",
  middleware: [requireScope("images")] as const,
  request: {
    params: imageParams,
    query: z.object({ source_page_url: httpUrl, ...details }),
    body: { required: true, content: { "image/*": { schema: z.string().openapi({ format: "binary" }) } } },
  },
  responses: {
    201: json("The image is stored as `manual`", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 401, 403, 409, 413, 422, 503),
  },
});

export function manualImageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(fromUrlRoute, async (c) => {
    const { project, filename } = c.req.valid("param");
    const body = c.req.valid("json");
    const of = projectOf(c, project);
    const request = manualRequest(filename, body);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const commit = await acquireFromUrl(body.url, request, sinkOf(c, of), context);
    await reconcileRow(c, of, commit);
    return c.json({ ...acquiredBody(of.identity, commit), warnings: [], attempts: [] }, 201);
  });

  app.openapi(uploadRoute, async (c) => {
    const { project, filename } = c.req.valid("param");
    const query = c.req.valid("query");
    const of = projectOf(c, project);
    const request = manualRequest(filename, query);
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.byteLength === 0)
      throw new SluiceError("invalid-request", "The body is empty: send the picture's bytes.");
    const sink = sinkOf(c, of);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const commit = await acquireUpload(bytes, query.source_page_url, request, sink, context);
    await reconcileRow(c, of, commit);
    return c.json({ ...acquiredBody(of.identity, commit), warnings: [], attempts: [] }, 201);
  });

  allowOnly(app, "/v1/projects/:project/images/:filename/from-url", ["PUT"]);
  allowOnly(app, "/v1/projects/:project/images/:filename/upload", ["PUT"]);
  return app;
}

export function manualRequest(
  filename: string,
  given: { min_width: number; min_height: number; slide?: string; purpose?: string; search_query?: string },
): ManualRequest {
  validFilename(filename);
  return {
    filename,
    minWidth: given.min_width,
    minHeight: given.min_height,
    details: {
      ...(given.slide === undefined ? {} : { slide: given.slide }),
      ...(given.purpose === undefined ? {} : { purpose: given.purpose }),
      ...(given.search_query === undefined ? {} : { searchQuery: given.search_query }),
    },
  };
}
