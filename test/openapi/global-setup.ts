import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { Checker } from "./checker.ts";
import type { Document, Received } from "./document.ts";
import { lintDocument } from "./lint.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where descriptions are linted, and responses compared with them. */
    openapiChecker: string;
  }
}

/** Neither Redocly nor ajv runs inside workerd, which lets nobody make code: tests there ask this server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const checkers = new Map<string, Checker>();
  const app = new Hono();
  app.post("/lint", async (c) => c.json(await lintDocument(await c.req.text())));
  app.put("/documents/:id", async (c) => {
    const checker = new Checker(await c.req.json<Document>());
    checkers.set(c.req.param("id"), checker);
    return c.json(checker.examples());
  });
  app.post("/documents/:id/responses", async (c) =>
    c.json(checkers.get(c.req.param("id"))!.response(await c.req.json<Received>())),
  );
  app.post("/documents/:id/webhooks/:type", async (c) =>
    c.json(checkers.get(c.req.param("id"))!.webhook(c.req.param("type"), await c.req.text())),
  );
  app.onError((error, c) => c.json([String(error.stack)]));
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  project.provide("openapiChecker", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => new Promise((resolve) => server.close(() => resolve()));
}
