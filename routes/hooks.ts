import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { readSubmission } from "../src/batches/submission.ts";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import { batchBody, batchOf, batchPath, batchSchema, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { BATCH } from "./examples.ts";
import { allowOnly } from "./guards.ts";
import { verifyHook } from "./hook-signature.ts";
import { IMAGE_QUERIES, imageQueriesSchema } from "./image-queries.ts";
import { webhookHeaders } from "./openapi-webhooks.ts";
import { projectOf, projectParam } from "./projects.ts";
import { json, jsonBody, NO_KEY, problemAnswers } from "./schemas.ts";
import { submitBatch } from "./submit-batch.ts";

const PATH = "/v1/hooks/:tenant/:project";

// Nothing of the request is looked at before its signature, so the description validates nothing.
const route = createRoute({
  method: "post",
  path: "/v1/hooks/{tenant}/{project}",
  operationId: "receiveHook",
  summary: "A batch from a signed webhook (Standard Webhooks)",
  description: "The webhook's id is its idempotency key: a repeated delivery is the same batch.",
  tags: ["Webhooks"],
  security: NO_KEY,
  request: {
    params: z.object({ tenant: z.string().openapi({ example: "acme" }), project: projectParam }),
    headers: webhookHeaders,
    body: jsonBody(
      z.union([imageQueriesSchema, z.looseObject({ type: z.string(), data: imageQueriesSchema })]),
      IMAGE_QUERIES,
    ),
  },
  responses: {
    202: json("The batch runs; `Location` has its address", batchSchema, BATCH),
    // No key, hence none of its scopes or limits.
    ...Object.fromEntries(
      Object.entries(problemAnswers(400, 401, 404, 409, 413, 422)).filter(
        ([status]) => !["403", "429"].includes(status),
      ),
    ),
  },
});

export function hookRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.openAPIRegistry.registerPath(route);
  app.post(PATH, async (c) => {
    const tenant = c.req.param("tenant");
    const text = await verifyHook(c, tenant);
    c.set("caller", { tenant, scopes: ["batches"], key: "", limits: {} });
    const body = queriesOf(text);
    const submission = readSubmission(body);
    if ("faults" in submission) {
      const detail = `The batch has ${submission.faults.length} faults; nothing was started.`;
      throw new SluiceError("invalid-request", detail, { faults: submission.faults });
    }
    const project = projectOf(c, c.req.param("project"));
    const id = await submitBatch(c, project, submission, body, `webhook:${c.req.header("webhook-id")}`);
    const view = await batchOf(c, project, id).view(-1, 1);
    if (view === undefined) throw noBatch();
    c.header("location", batchPath(project, id));
    return c.json(batchBody(project, view), 202);
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

function queriesOf(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new SluiceError("not-json", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || "items" in body) return body;
  return "type" in body && "data" in body ? body.data : body;
}
