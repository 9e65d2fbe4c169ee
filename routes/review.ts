import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { selectionReport } from "../src/batches/run-row.ts";
import { SluiceError } from "../src/errors.ts";
import { showPoolPage } from "../src/images/candidates.ts";
import { acquireFromUrl } from "../src/images/manual.ts";
import { poolFingerprint } from "../src/images/pool.ts";
import { promoteCandidate } from "../src/images/promote.ts";
import { toImageRequest, withRowDefaults } from "../src/images/row.ts";
import type { StoredPool } from "../src/images/stored-pool.ts";
import { readReviewResource } from "../src/storage/link-resources.ts";
import type { App } from "./app.ts";
import { batchOf } from "./batch-views.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { ACQUIRED, REVIEW } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { acquiredBody, acquiredSchema } from "./image-views.ts";
import { openLink, requireLink } from "./link-access.ts";
import { manualRequest, urlFields } from "./manual-images.ts";
import { projectOf, sinkOf } from "./projects.ts";
import { reconcileRow } from "./reconcile.ts";
import { promotionSchema } from "./images.ts";
import { reviewStateSchema } from "./review-schemas.ts";
import { type Reviewed, reviewedOf, reviewState } from "./review-views.ts";
import { json, jsonBody, NO_KEY, problemAnswers } from "./schemas.ts";

/** One original, or one page of previews. */
const TIME_LIMIT_MS = 60_000;

const params = z.object({
  token: z
    .string()
    .max(4_000)
    .openapi({ param: { name: "token", in: "path" }, example: "WyJsb2NhbCIs.c2ln" }),
});

const stateRoute = createRoute({
  method: "get",
  path: "/review/{token}/state",
  operationId: "getReview",
  summary: "What the review page of a link shows: intent, candidates, image",
  tags: ["Review"],
  security: NO_KEY,
  middleware: [requireLink(readReviewResource, "read", "look")] as const,
  request: { params },
  responses: { 200: json("As it stands now", reviewStateSchema, REVIEW), ...problemAnswers(403, 404, 429) },
});

const promoteRoute = createRoute({
  method: "post",
  path: "/review/{token}/promote",
  operationId: "promoteReviewed",
  summary: "Store one of the candidates; the link must allow `promote`",
  tags: ["Review"],
  security: NO_KEY,
  middleware: [requireLink(readReviewResource, "promote", "act"), requireJson] as const,
  request: { params, body: jsonBody(promotionSchema, { candidate: "candidate_03.jpg" }) },
  responses: {
    201: json("The image is stored, with its provenance", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 403, 404, 409, 413, 415, 422, 429, 502, 503),
  },
});

const pageRoute = createRoute({
  method: "post",
  path: "/review/{token}/page",
  operationId: "showReviewPage",
  summary: "Show another page of the candidates; the link must allow `page`",
  description: "No provider is asked. A batch row that does not run waits for a selection from that page afterwards.",
  tags: ["Review"],
  security: NO_KEY,
  middleware: [requireLink(readReviewResource, "page", "act"), requireJson] as const,
  request: {
    params,
    body: jsonBody(z.strictObject({ page: z.int().min(1).max(1_000) }).openapi("ReviewPage"), { page: 2 }),
  },
  responses: {
    200: json("As it stands now", reviewStateSchema, REVIEW),
    ...problemAnswers(400, 403, 404, 409, 413, 415, 429, 502, 503),
  },
});

const manualRoute = createRoute({
  method: "put",
  path: "/review/{token}/from-url",
  operationId: "replaceReviewedFromUrl",
  summary: "Put the picture behind a URL in place; the link must allow `manual`",
  description: "Recorded as `manual`: its license is not verified, rights and credit are yours to clear.",
  tags: ["Review"],
  security: NO_KEY,
  middleware: [requireLink(readReviewResource, "manual", "act"), requireJson] as const,
  request: {
    params,
    body: jsonBody(z.strictObject(urlFields).openapi("ReviewedFromUrl"), { url: "https://example.org/picture.jpg" }),
  },
  responses: {
    201: json("The image is stored as `manual`", acquiredSchema, ACQUIRED),
    ...problemAnswers(400, 403, 404, 409, 413, 415, 422, 429, 502, 503),
  },
});

/** What a review link opens: one filename of one project, and nothing else of its tenant. */
export function reviewRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });

  app.openapi(stateRoute, async (c) => c.json(await stateOf(c), 200, NO_STORE));

  app.openapi(promoteRoute, async (c) => {
    const { candidate, identity_confirmed: confirmed } = c.req.valid("json");
    const { filename, project } = (await openLink(c, readReviewResource)).resource;
    const of = projectOf(c, project);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const commit = await promoteCandidate(filename, candidate, confirmed, sinkOf(c, of), context);
    await reconcileRow(c, of, commit);
    return c.json({ ...acquiredBody(of.identity, commit), warnings: [], attempts: [] }, 201);
  });

  app.openapi(pageRoute, async (c) => {
    const { page } = c.req.valid("json");
    const { resource } = await openLink(c, readReviewResource);
    const before = await reviewedOf(c, resource);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const pool = await showPoolPage(resource.filename, page, sinkOf(c, before.project), context);
    await showInRow(c, before, pool);
    return c.json(await stateOf(c), 200, NO_STORE);
  });

  app.openapi(manualRoute, async (c) => {
    const { url, ...floors } = c.req.valid("json");
    const { filename, project } = (await openLink(c, readReviewResource)).resource;
    const of = projectOf(c, project);
    const context = await jobContext(c, TIME_LIMIT_MS);
    const commit = await acquireFromUrl(url, manualRequest(filename, floors), sinkOf(c, of), context);
    await reconcileRow(c, of, commit);
    return c.json({ ...acquiredBody(of.identity, commit), warnings: [], attempts: [] }, 201);
  });

  allowOnly(app, "/review/:token/state", ["GET"]);
  allowOnly(app, "/review/:token/promote", ["POST"]);
  allowOnly(app, "/review/:token/page", ["POST"]);
  allowOnly(app, "/review/:token/from-url", ["PUT"]);
  return app;
}

/** Pictures in it are signed for a while only. */
const NO_STORE = { "cache-control": "no-store" };

async function stateOf(c: Context<AppEnv>) {
  const { grant, resource } = await openLink(c, readReviewResource);
  const reviewed = await reviewedOf(c, resource);
  if (isNothing(reviewed)) throw nothingToReview();
  return reviewState(c, grant, reviewed);
}

/** Whether there is anything under the filename that a person could look at. */
export function isNothing({ row, pool, image }: Reviewed): boolean {
  return row === undefined && pool === undefined && image === undefined;
}

export function nothingToReview(): SluiceError {
  return new SluiceError("not-found", "The project has no row, no candidates and no image of this name.");
}

/** A row that asks for something else than the pool was made for waits for its own run. */
async function showInRow(c: Context<AppEnv>, { project, row }: Reviewed, pool: StoredPool): Promise<void> {
  if (row === undefined || row.stored.running) return;
  const { item } = row.stored;
  if (poolFingerprint(toImageRequest(withRowDefaults(item)).request) !== pool.fingerprint) return;
  await batchOf(c, project, row.batch).showPage(item, selectionReport(pool, []));
}
