import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { reviewResource } from "../src/storage/link-resources.ts";
import { publicLink } from "../src/storage/public-link.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import type { AppEnv } from "./context.ts";
import { REVIEW_LINK } from "./examples.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { imageParams } from "./image-views.ts";
import { isNothing, nothingToReview } from "./review.ts";
import { REVIEW_ACTIONS } from "./review-schemas.ts";
import { reviewedOf } from "./review-views.ts";
import { json, jsonBody, keyWith, problemAnswers } from "./schemas.ts";

const DAY_SECONDS = 24 * 60 * 60;

const route = createRoute({
  method: "post",
  path: "/v1/projects/{project}/images/{filename}/review-link",
  operationId: "makeReviewLink",
  summary: "A link to the review page of one image, for somebody without a key",
  tags: ["Review"],
  security: keyWith("images"),
  middleware: [requireScope("images"), requireJson] as const,
  request: {
    params: imageParams,
    body: jsonBody(
      z
        .strictObject({
          actions: z
            .array(z.enum(REVIEW_ACTIONS))
            .max(REVIEW_ACTIONS.length)
            .default([...REVIEW_ACTIONS])
            .openapi({ description: "What the link allows; to look is always among it" }),
          expires_in_seconds: z
            .int()
            .min(60)
            .max(30 * DAY_SECONDS)
            .default(7 * DAY_SECONDS),
        })
        .openapi("ReviewLinkRequest"),
      { actions: ["read", "promote", "page"], expires_in_seconds: 86_400 },
    ),
  },
  responses: {
    201: json(
      "Whoever has the link can do what `actions` says, until it expires",
      z
        .object({ url: z.url(), expires_at: z.iso.datetime(), actions: z.array(z.enum(REVIEW_ACTIONS)) })
        .openapi("ReviewLink"),
      REVIEW_LINK,
    ),
    ...problemAnswers(400, 401, 403, 404, 413, 415, 503),
  },
});

export function reviewLinkRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  app.openapi(route, async (c) => {
    const resource = c.req.valid("param");
    const { actions: wanted, expires_in_seconds: seconds } = c.req.valid("json");
    if (isNothing(await reviewedOf(c, resource))) throw nothingToReview();
    const actions = REVIEW_ACTIONS.filter((action) => action === "read" || wanted.includes(action));
    const expires = Math.floor(c.var.clock.now() / 1000) + seconds;
    const grant = { tenant: c.var.caller.tenant, resource: reviewResource(resource), actions, expires };
    const url = await publicLink("review", grant, undefined, c.var.config);
    return c.json({ url, expires_at: new Date(expires * 1000).toISOString(), actions }, 201);
  });
  allowOnly(app, "/v1/projects/:project/images/:filename/review-link", ["POST"]);
  return app;
}
