import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { SluiceError } from "../src/errors.ts";
import { BatchPage } from "../ui/pages/batch.tsx";
import { BatchesPage } from "../ui/pages/batches.tsx";
import { ChatPage } from "../ui/pages/chat.tsx";
import { HomePage } from "../ui/pages/home.tsx";
import { ReviewPage } from "../ui/pages/review.tsx";
import type { App } from "./app.ts";
import type { AppEnv } from "./context.ts";
import { projectParam } from "./projects.ts";

/** Everything from our own origin; pictures also from what the script has fetched with the key. No markup from strings. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const BATCH_ID = /^[\w-]{1,64}$/;

/** The pages for people. They hold no data: their script fetches it, with the key or with the link's token. */
export function pageRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false });
  app.get("/", (c) => page(c, HomePage()));
  app.get("/chat", (c) => page(c, ChatPage()));
  app.get("/batch", (c) => page(c, BatchesPage()));
  app.get("/projects/:project/batches/:batch", (c) => {
    const { project, batch } = c.req.param();
    if (!projectParam.safeParse(project).success || !BATCH_ID.test(batch)) {
      throw new SluiceError("not-found", "There is no page of this address.");
    }
    return page(c, BatchPage({ project, batch }));
  });
  app.get("/review/:token", (c) => page(c, ReviewPage({ token: c.req.param("token") })));
  return app;
}

function page(c: Context<AppEnv>, content: ReturnType<typeof HomePage>): Response | Promise<Response> {
  c.header("content-security-policy", CONTENT_SECURITY_POLICY);
  // The address of a review is its permission.
  c.header("referrer-policy", "no-referrer");
  c.header("cache-control", "no-store");
  return c.html(`<!doctype html>${content.toString()}`);
}
