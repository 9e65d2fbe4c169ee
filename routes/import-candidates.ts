import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { candidatesImportSchema, importedPool } from "../src/images/import-candidates.ts";
import { refused } from "../src/images/refusal.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import type { AppEnv } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { validFilename } from "./image-request.ts";
import { imageParams } from "./image-views.ts";
import { projectOf } from "./projects.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const importedSchema = z
  .object({ target_filename: z.string(), searched_at: z.iso.datetime(), candidates: z.int() })
  .openapi("ImportedCandidates");

const EXAMPLE = {
  schema_version: 3 as const,
  target_filename: "alps.jpg",
  searched_at: "2026-11-03T08:30:00.000Z",
  license_stage: "all" as const,
  candidate_page: 1,
  saved_pages: [1],
  page_size: 8,
  request: { query: "french alpine landscape" },
  candidates: [
    {
      rank: 1,
      score: 31250,
      filename: "candidate_01.jpg",
      provider: "wikimedia" as const,
      asset_id: "184072",
      title: "Alps",
      author: "Jane Doe",
      source_page_url: "https://commons.wikimedia.org/wiki/File:Alps.jpg",
      download_url: "https://upload.wikimedia.org/alps.jpg",
      preview_url: "https://upload.wikimedia.org/alps-960.jpg",
      matched_query: "french alpine landscape",
      license_name: "CC BY-SA 4.0",
      license_url: "https://creativecommons.org/licenses/by-sa/4.0/",
      width: 2400,
      height: 1600,
      preview_width: 960,
      preview_height: 640,
    },
  ],
};

const route = createRoute({
  method: "put",
  path: "/v1/projects/{project}/images/{filename}/candidates",
  operationId: "importCandidates",
  summary: "Take up a candidates.json, so that its candidates can be promoted here",
  description:
    "For a folder that was filled elsewhere. A pool of the same search stays as it is. Licenses are judged anew, by name and URL; the tier that the file states is not looked at.",
  tags: ["Images"],
  security: keyWith("images"),
  middleware: [requireScope("images"), requireJson] as const,
  request: { params: imageParams, body: jsonBody(candidatesImportSchema.openapi("CandidatesImport"), EXAMPLE) },
  responses: {
    200: json("The candidates can be promoted; how many there are", importedSchema, {
      target_filename: "alps.jpg",
      searched_at: "2026-11-03T08:30:00.000Z",
      candidates: 1,
    }),
    ...problemAnswers(400, 401, 403, 404, 409, 413, 415),
  },
});

export function importCandidatesRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const { project, filename } = c.req.valid("param");
    validFilename(filename);
    const { identity, stub } = projectOf(c, project);
    const pool = await stub.importPool(identity, importedPool(filename, c.req.valid("json")), c.var.clock.now());
    if ("code" in pool) throw refused(pool);
    const searchedAt = new Date(pool.searchedAt).toISOString();
    return c.json({ target_filename: filename, searched_at: searchedAt, candidates: pool.shown.length }, 200);
  });
  allowOnly(app, "/v1/projects/:project/images/:filename/candidates", ["PUT"]);
  return app;
}
