import { createRoute, z } from "@hono/zod-openapi";
import { keyWith, problemAnswers } from "./schemas.ts";

const messageSchema = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number(), z.null()]).optional(),
    method: z.string().optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
  })
  .openapi("JsonRpcMessage");

const failed = {
  jsonrpc: "2.0" as const,
  id: null,
  error: { code: -32600, message: "Send one message, not a batch." },
};
const refusals = problemAnswers(401, 413, 415);
const rpcError = { "application/json": { schema: messageSchema, example: failed } };

/** `POST /mcp` as OpenAPI can say it; what the messages are is MCP's own matter, and `tools/list` says which tools. */
export const mcpRoute = createRoute({
  method: "post",
  path: "/mcp",
  operationId: "callMcp",
  summary: "Model Context Protocol, each request complete in itself",
  description: "Any key will do; each tool needs the scope of what it does. Pages of another origin are refused.",
  tags: ["MCP"],
  security: keyWith(),
  request: {
    body: {
      required: true,
      content: {
        "application/json": {
          schema: messageSchema,
          example: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
        },
      },
    },
  },
  responses: {
    200: {
      description: "The answer of JSON-RPC",
      content: {
        "application/json": { schema: messageSchema, example: { jsonrpc: "2.0", id: 1, result: { tools: [] } } },
        "text/event-stream": { schema: z.string() },
      },
    },
    202: { description: "A notification was taken" },
    ...refusals,
    400: { description: "Not a message of the protocol", content: rpcError },
    404: { description: "A method that the server does not have", content: rpcError },
    406: { description: "`Accept` lacks `application/json` or `text/event-stream`", content: rpcError },
  },
});
