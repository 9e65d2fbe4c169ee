import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { isObjectOf } from "../src/storage/link-resources.ts";
import { verifyLink } from "../src/storage/signed-link.ts";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { BYTES, objectResponse } from "./object-response.ts";
import { NO_KEY, problemAnswers } from "./schemas.ts";

const route = createRoute({
  method: "get",
  path: "/s/{token}/{name}",
  operationId: "openLink",
  summary: "What a signed link opens, without any header",
  tags: ["Images"],
  security: NO_KEY,
  request: {
    params: z.object({
      token: z.string().openapi({ example: "eyJ0Ijoi" }),
      name: z.string().openapi({ description: "For the reader only", example: "review_sheet.jpg" }),
    }),
  },
  responses: {
    200: { description: "Its bytes", content: { "*/*": { schema: BYTES } } },
    ...problemAnswers(403, 404),
  },
});

export function linkRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.openapi(route, async (c) => {
    const { config, clock } = c.var;
    if (config.signingSecrets.length === 0) {
      throw new SluiceError("misconfigured", "Links need the setting SIGNING_SECRET.");
    }
    const grant = await verifyLink(c.req.valid("param").token, config.signingSecrets, clock.now());
    if (grant === undefined || !grant.actions.includes("read") || !isObjectOf(grant.tenant, grant.resource)) {
      throw new SluiceError("link-invalid", "The link has expired or is not one of ours.");
    }
    const object = await c.env.BUCKET.get(grant.resource);
    if (object === null) throw new SluiceError("not-found", "What this link opened has been deleted.");
    const response = objectResponse(object, "immutable");
    // These addresses are given away, so that pages of other origins can show the picture.
    response.headers.set("cross-origin-resource-policy", "cross-origin");
    return response;
  });
  return app;
}
