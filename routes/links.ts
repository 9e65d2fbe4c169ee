import { OpenAPIHono } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { verifyLink } from "../src/storage/signed-link.ts";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { objectResponse } from "./object-response.ts";

/** `GET /s/{token}/{name}`: what a signed link opens, without any header. The name is for the reader only. */
export function linkRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get("/s/:token/:name", async (c) => {
    const { config, clock } = c.var;
    if (config.signingSecrets.length === 0) {
      throw new SluiceError("misconfigured", "Links need the setting SIGNING_SECRET.");
    }
    const grant = await verifyLink(c.req.param("token"), config.signingSecrets, clock.now());
    if (grant === undefined || !grant.actions.includes("read")) {
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
