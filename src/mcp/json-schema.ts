import { z } from "@hono/zod-openapi";
import type { Tool } from "@modelcontextprotocol/server";

/** A tool's schema as agents read it. Throws for a schema whose root is no object. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Tool["inputSchema"] {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema: each }) => trim(each) });
  if (json.type !== "object") throw new Error("the schema of a tool must be an object's");
  return json as Tool["inputSchema"];
}

/** The bounds of a safe integer tell an agent nothing, and cost it tokens. */
function trim(json: { minimum?: number; maximum?: number }): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
}
