import { OpenAPIHono } from "@hono/zod-openapi";
import { readSubmission } from "../src/batches/submission.ts";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import { batchOf, batchPath, batchBody, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { verifyHook } from "./hook-signature.ts";
import { projectOf } from "./projects.ts";
import { submitBatch } from "./submit-batch.ts";

const PATH = "/v1/hooks/:tenant/:project";

/**
 * `POST /v1/hooks/{tenant}/{project}`: a batch from a signed webhook (Standard Webhooks). The body is an
 * `image_queries.json`, bare or as `data` of an event. The webhook's id is its idempotency key, so that a repeated
 * delivery is the same batch.
 */
export function hookRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
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
