import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { readSubmission } from "../src/batches/submission.ts";
import { patchedRow } from "../src/batches/patch.ts";
import type { RowItem } from "../src/batches/rows.ts";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { type BatchClient, batchBody, batchOf, batchPath, batchSchema, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { BATCH, BATCHES, DELIVERIES } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { IMAGE_QUERIES, IMAGE_QUERY_SCHEMAS, imageQueriesSchema, rowChangeSchema } from "./image-queries.ts";
import { projectOf, projectParam } from "./projects.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";
import { submitBatch } from "./submit-batch.ts";

const ROWS_PER_PAGE = 100;
const BATCHES_PER_PAGE = 50;
const DELIVERIES_PER_PAGE = 100;
const MOST_PATCH_TRIES = 8;

const params = z.object({ project: projectParam, batch: z.string().openapi({ param: { name: "batch", in: "path" } }) });
const after = z.coerce.number().int().min(-1).default(-1);
const guard: [ReturnType<typeof requireScope>] = [requireScope("batches")];

const submitRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/batches",
  operationId: "submitBatch",
  summary: "Send an image_queries.json; every row is brought to its end",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: [requireScope("batches"), requireJson] as const,
  request: {
    params: z.object({ project: projectParam }),
    headers: z.object({ "idempotency-key": z.string().min(1).max(200).optional() }),
    body: jsonBody(imageQueriesSchema, IMAGE_QUERIES),
  },
  responses: {
    202: json("The batch runs; `Location` has its address", batchSchema, BATCH),
    ...problemAnswers(400, 401, 403, 409, 413, 415, 422),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/batches",
  operationId: "listBatches",
  summary: "The batches of a project, newest first",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: guard,
  request: {
    params: z.object({ project: projectParam }),
    query: z.object({ before: z.coerce.number().int().optional() }),
  },
  responses: {
    200: json(
      "At most 50; `next` is the `before` of the next page",
      z.object({
        batches: z.array(z.object({ id: z.string(), created_at: z.iso.datetime(), url: z.string() })),
        next: z.int().nullable(),
      }),
      BATCHES,
    ),
    ...problemAnswers(400, 401, 403, 404),
  },
});

const getRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/batches/{batch}",
  operationId: "getBatch",
  summary: "Counts and rows of a batch",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: guard,
  request: { params, query: z.object({ after }) },
  responses: {
    200: json("At most 100 rows; `next` is the `after` of the next page", batchSchema, BATCH),
    ...problemAnswers(400, 401, 403, 404),
  },
});

const cancelRoute = createRoute({
  method: "delete",
  path: "/v1/projects/{project}/batches/{batch}",
  operationId: "cancelBatch",
  summary: "Begin no further row",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: guard,
  request: { params },
  responses: { 200: json("The batch as it was left", batchSchema, BATCH), ...problemAnswers(400, 401, 404) },
});

const runRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/batches/{batch}/run",
  operationId: "runBatch",
  summary: "Run Pending and Failed rows again",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: guard,
  request: { params },
  responses: { 202: json("The batch runs", batchSchema, BATCH), ...problemAnswers(400, 401, 404, 409) },
});

const patchRoute = createRoute({
  method: "patch",
  path: "/v1/projects/{project}/batches/{batch}/rows/{filename}",
  operationId: "changeRow",
  summary: "Change a row that is not running; it is Pending again",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: [requireScope("batches"), requireJson] as const,
  request: {
    params: params.extend({
      filename: z
        .string()
        .max(255)
        .openapi({ param: { name: "filename", in: "path" } }),
    }),
    body: jsonBody(rowChangeSchema, { query: "alpine lake" }),
  },
  responses: {
    200: json("The row as it stands now", z.record(z.string(), z.unknown()), BATCH.rows[0]!.item),
    ...problemAnswers(400, 401, 403, 404, 409, 413, 415),
  },
});

const deliverySchema = z.object({
  id: z.string(),
  type: z.string(),
  state: z.enum(["pending", "delivered", "failed"]),
  attempts: z.int(),
  created_at: z.iso.datetime(),
  last_status: z.int().nullable(),
  last_detail: z.string().nullable(),
  next_try_at: z.iso.datetime().nullable(),
});

const deliveriesRoute = createRoute({
  method: "get",
  path: "/v1/projects/{project}/batches/{batch}/deliveries",
  operationId: "listDeliveries",
  summary: "The webhook deliveries of a batch",
  tags: ["Webhooks"],
  security: keyWith("batches"),
  middleware: guard,
  request: { params, query: z.object({ after: z.coerce.number().int().min(0).default(0) }) },
  responses: {
    200: json(
      "At most 100; `next` is the `after` of the next page",
      z.object({
        deliveries: z.array(deliverySchema),
        disabled: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable(),
        next: z.int().nullable(),
      }),
      DELIVERIES,
    ),
    ...problemAnswers(400, 401, 403, 404),
  },
});

const resendRoute = createRoute({
  method: "post",
  path: "/v1/projects/{project}/batches/{batch}/deliveries/{delivery}/resend",
  operationId: "resendDelivery",
  summary: "Send a webhook again, with the same id",
  tags: ["Webhooks"],
  security: keyWith("batches"),
  middleware: guard,
  request: {
    params: params.extend({ delivery: z.string().openapi({ param: { name: "delivery", in: "path" } }) }),
  },
  responses: { 202: { description: "It is due again" }, ...problemAnswers(400, 401, 404) },
});

export function batchRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  for (const [name, schema] of Object.entries(IMAGE_QUERY_SCHEMAS)) app.openAPIRegistry.register(name, schema);

  app.openapi(submitRoute, async (c) => {
    const project = projectOf(c, c.req.valid("param").project);
    const body = c.req.valid("json");
    const submission = readSubmission(body);
    if ("faults" in submission) {
      const detail = `The batch has ${submission.faults.length} faults; nothing was started.`;
      throw new SluiceError("invalid-request", detail, { faults: submission.faults });
    }
    const id = await submitBatch(c, project, submission, body, c.req.valid("header")["idempotency-key"]);
    const view = await batchOf(c, project, id).view(-1, ROWS_PER_PAGE);
    if (view === undefined) throw noBatch();
    c.header("location", batchPath(project, id));
    return c.json(batchBody(project, view), 202);
  });

  app.openapi(listRoute, async (c) => {
    const project = projectOf(c, c.req.valid("param").project);
    const { batches, next } = await project.stub.batches(c.req.valid("query").before, BATCHES_PER_PAGE);
    const entries = batches.map(({ id, created_at }) => ({
      id,
      created_at: iso(created_at),
      url: batchPath(project, id),
    }));
    return c.json({ batches: entries, next: next ?? null }, 200);
  });

  app.openapi(getRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    const of = projectOf(c, project);
    const view = await batchOf(c, of, batch).view(c.req.valid("query").after, ROWS_PER_PAGE);
    if (view === undefined) throw noBatch();
    return c.json(batchBody(of, view), 200);
  });

  app.openapi(cancelRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    const of = projectOf(c, project);
    const stub = batchOf(c, of, batch);
    if ((await stub.view(-1, 1)) === undefined) throw noBatch();
    await stub.cancel();
    return c.json(batchBody(of, (await stub.view(-1, ROWS_PER_PAGE))!), 200);
  });

  app.openapi(runRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    const of = projectOf(c, project);
    const stub = batchOf(c, of, batch);
    if ((await stub.view(-1, 1)) === undefined) throw noBatch();
    if (!(await stub.run())) throw new SluiceError("batch-ended", "The batch was cancelled and runs no more.");
    return c.json(batchBody(of, (await stub.view(-1, ROWS_PER_PAGE))!), 202);
  });

  app.openapi(patchRoute, async (c) => {
    const { project, batch, filename } = c.req.valid("param");
    const stub = batchOf(c, projectOf(c, project), batch);
    if ((await stub.view(-1, 1)) === undefined) throw noBatch();
    return c.json((await patchRow(stub, filename, c.req.valid("json"))) as Record<string, unknown>, 200);
  });

  app.openapi(deliveriesRoute, async (c) => {
    const { project, batch } = c.req.valid("param");
    const stub = batchOf(c, projectOf(c, project), batch);
    if ((await stub.view(-1, 1)) === undefined) throw noBatch();
    const { deliveries, next, disabled } = await stub.deliveries(c.req.valid("query").after, DELIVERIES_PER_PAGE);
    return c.json(
      {
        deliveries: deliveries.map((each) => ({
          id: each.id,
          type: each.type,
          state: each.state,
          attempts: each.attempts,
          created_at: iso(each.createdAt),
          last_status: each.lastStatus ?? null,
          last_detail: each.lastDetail ?? null,
          next_try_at: each.nextTryAt === undefined ? null : iso(each.nextTryAt),
        })),
        disabled: disabled === undefined ? null : { reason: disabled.reason, at: iso(disabled.at) },
        next: next ?? null,
      },
      200,
    );
  });

  app.openapi(resendRoute, async (c) => {
    const { project, batch, delivery } = c.req.valid("param");
    const stub = batchOf(c, projectOf(c, project), batch);
    if ((await stub.view(-1, 1)) === undefined) throw noBatch();
    if (!(await stub.resend(delivery))) throw new SluiceError("not-found", "The batch has no delivery of this id.");
    return c.body(null, 202);
  });

  allowOnly(app, "/v1/projects/:project/batches", ["GET", "POST"]);
  allowOnly(app, "/v1/projects/:project/batches/:batch", ["GET", "DELETE"]);
  allowOnly(app, "/v1/projects/:project/batches/:batch/run", ["POST"]);
  allowOnly(app, "/v1/projects/:project/batches/:batch/rows/:filename", ["PATCH"]);
  return app;
}

/** Begins again when the row has changed between its reading and its writing, so that no change is lost. */
async function patchRow(stub: BatchClient, filename: string, changes: Record<string, unknown>): Promise<RowItem> {
  for (let tries = 0; tries < MOST_PATCH_TRIES; tries++) {
    const row = await stub.row(filename);
    if (row === undefined) throw new SluiceError("not-found", "The batch has no row of this filename.");
    const item = patchedRow(row.item, changes);
    const refusal = await stub.patch(filename, row.item, item);
    if (refusal === undefined) return item;
    if (refusal === "cancelled") throw new SluiceError("batch-ended", "The batch was cancelled.");
    if (refusal === "running") throw new SluiceError("row-running", "The row is running; wait for its end.");
  }
  throw new SluiceError("row-running", "Others keep changing the row; try again.");
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
