import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { makeRedactor } from "../src/egress/redact.ts";
import { mcpServer } from "../src/mcp/server.ts";
import type { ToolServices } from "../src/mcp/tool.ts";
import type { App } from "./app.ts";
import { requireKey } from "./auth.ts";
import { batchBody, batchOf } from "./batch-views.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { mcpRoute } from "./mcp-route.ts";
import { PROBLEMS } from "./problems.ts";
import { projectOf, sinkOf } from "./projects.ts";
import { reconcileRow } from "./reconcile.ts";
import { sameOrigin } from "./same-origin.ts";

const PATH = "/mcp";
const ROWS_PER_PAGE = 50;

/** `POST /mcp`: Model Context Protocol, each request complete in itself. */
export function mcpRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false });
  app.openAPIRegistry.registerPath(mcpRoute);
  app.post(PATH, sameOrigin, requireKey, requireJson, async (c) => {
    const message: unknown = await c.req.json().catch(() => undefined);
    if (message === undefined) return refusal(-32700, "Parse error: the body is not valid JSON.");
    // One request, one call: a batch would pass the key's limits.
    if (Array.isArray(message)) return refusal(-32600, "Invalid request: send one message, not a batch.");
    const { createMcpHandler } = await import("../src/mcp/library.ts");
    const handler = createMcpHandler(() => serverFor(c));
    return handler.fetch(c.req.raw, { parsedBody: message });
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

function serverFor(c: Context<AppEnv>) {
  const { scopes } = c.var.caller;
  return mcpServer({
    scopes,
    services: servicesFor(c),
    remedy: (code) => PROBLEMS[code].remedy,
    redact: makeRedactor(c.var.config.secrets),
    onEnd: (attempts, error) => {
      c.set("attempts", attempts);
      c.error = error;
    },
  });
}

function servicesFor(c: Context<AppEnv>): ToolServices {
  return {
    tenant: c.var.caller.tenant,
    bucket: c.env.BUCKET,
    job: (timeLimitMs, signal) => jobContext(c, timeLimitMs, signal),
    sink: (project) => sinkOf(c, projectOf(c, project)),
    reconcile: (project, commit) => reconcileRow(c, projectOf(c, project), commit),
    batch: async (project, id, after) => {
      const of = projectOf(c, project);
      const view = await batchOf(c, of, id).view(after, ROWS_PER_PAGE);
      return view && batchBody(of, view);
    },
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    newId: () => crypto.randomUUID(),
  };
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
}
