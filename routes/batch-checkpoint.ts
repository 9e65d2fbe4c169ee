import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import pMap from "p-map";
import {
  CHECKPOINT_LINES,
  type Checkpoint,
  checkpoint,
  type CheckpointImage,
  type CheckpointLineId,
} from "../src/batches/checkpoint.ts";
import { checkPage, type Page, type PageVerdict } from "../src/batches/page-credits.ts";
import type { RowItem } from "../src/batches/rows.ts";
import type { ImageRecord } from "../src/images/commit.ts";
import { objectKey } from "../src/storage/objects.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { batchOf, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { CHECKPOINT } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { allImages } from "./project-images.ts";
import { type Project, projectOf, projectParam } from "./projects.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const MAX_PAGES = 500;
/** Looks into R2 at once. */
const LOOKS = 6;

const params = z.object({ project: projectParam, batch: z.string().openapi({ param: { name: "batch", in: "path" } }) });

const findingSchema = z.object({
  filename: z.string().openapi({ description: "Empty where a page as a whole is meant" }),
  page: z.string().optional(),
  detail: z.string(),
});

const checkpointSchema = z
  .object({
    complete: z.boolean().openapi({ description: "Whether every line is met" }),
    lines: z.array(
      z.object({
        id: z.enum(Object.keys(CHECKPOINT_LINES) as [CheckpointLineId, ...CheckpointLineId[]]),
        requirement: z.string(),
        ok: z.boolean().nullable().openapi({ description: "`null` where it needs the pages, and none were sent" }),
        problems: z.array(findingSchema),
        warnings: z.array(findingSchema),
      }),
    ),
    pages: z
      .array(z.object({ name: z.string(), images: z.array(z.string()) }))
      .openapi({ description: "The images of the project that each page uses; empty where no pages were sent" }),
  })
  .openapi("Checkpoint");

const pageSchema = z
  .strictObject({
    name: z.string().min(1).max(200),
    svg: z.string().optional().openapi({ description: "The page's SVG source" }),
    text: z.string().optional().openapi({ description: "The page as text, Markdown or HTML" }),
  })
  .refine(({ svg, text }) => (svg === undefined) !== (text === undefined), "must have either `svg` or `text`");

const readRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/batches/{batch}/checkpoint",
  operationId: "getCheckpoint",
  summary: "Whether a batch is complete, line by line",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: [requireScope("batches")] as const,
  request: { params },
  responses: { 200: json("The completion list", checkpointSchema, CHECKPOINT), ...problemAnswers(400, 401, 404) },
});

const checkRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/batches/{batch}/checkpoint",
  operationId: "checkPages",
  summary: "The same, with the credits on the pages that use the images",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: [requireScope("batches"), requireJson] as const,
  request: {
    params,
    body: jsonBody(z.strictObject({ pages: z.array(pageSchema).min(1).max(MAX_PAGES) }).openapi("Pages"), {
      pages: [{ name: "01", text: "![Alps](images/alps.jpg)\n\nJane Doe / Wikimedia / CC BY-SA 4.0" }],
    }),
  },
  responses: {
    200: json("The completion list", checkpointSchema, CHECKPOINT),
    ...problemAnswers(400, 401, 404, 413, 415),
  },
});

/** `GET` and `POST …/batches/{batch}/checkpoint`. */
export function batchCheckpointRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(readRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    return c.json(await answer(c, projectOf(c, project), batch, undefined), 200);
  });

  app.openapi(checkRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    return c.json(await answer(c, projectOf(c, project), batch, c.req.valid("json").pages as Page[]), 200);
  });

  allowOnly(app, "/v1/projects/:project/batches/:batch/checkpoint", ["GET", "POST"]);
  return app;
}

async function answer(c: Context<AppEnv>, project: Project, id: string, pages: readonly Page[] | undefined) {
  const batch = batchOf(c, project, id);
  const view = await batch.view(-1, 1);
  if (view === undefined) throw noBatch();
  const rows = await batch.items();
  const records = await allImages(project);
  const items = records.map(({ item }) => item);
  const verdicts = pages?.map((page) => checkPage(page, items));
  const result = checkpoint({
    rows,
    images: await withStored(c, project, records, rows),
    showsCandidates: view.options.save_candidates,
    pages: verdicts,
  });
  return body(result, verdicts ?? []);
}

/** Looks after the bytes of the batch's own images only: those are what the batch answers for. */
async function withStored(
  c: Context<AppEnv>,
  { identity }: Project,
  records: readonly ImageRecord[],
  rows: readonly RowItem[],
): Promise<CheckpointImage[]> {
  const sourced = new Set(rows.filter(({ status }) => status === "Sourced").map(({ filename }) => filename));
  return pMap(
    records,
    async ({ filename, item, sha256, bytes }) => {
      if (!sourced.has(filename)) return { item, stored: true };
      const object = await c.env.BUCKET.head(objectKey(identity.tenant, sha256));
      return { item, stored: object?.size === bytes };
    },
    { concurrency: LOOKS },
  );
}

function body({ complete, lines }: Checkpoint, pages: readonly PageVerdict[]): z.infer<typeof checkpointSchema> {
  return {
    complete,
    lines: lines.map(({ id, ok, problems, warnings }) => ({
      id,
      requirement: CHECKPOINT_LINES[id],
      ok,
      problems: [...problems],
      warnings: [...warnings],
    })),
    pages: pages.map(({ name, images }) => ({ name, images: [...images] })),
  };
}
