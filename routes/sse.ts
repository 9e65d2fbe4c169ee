import { type OpenAPIHono, z } from "@hono/zod-openapi";
import type { AppEnv } from "./context.ts";

/** The payload of each event of a stream, by the event's name. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/**
 * The answer of a stream of Server-Sent Events, for its OpenAPI description. `prefix` begins the names of its schemas;
 * `registerEvents` makes them known.
 */
export function eventStream(prefix: string, description: string, events: EventSchemas, ids: boolean) {
  const items = Object.keys(events).map((event) => ({
    type: "object" as const,
    title: event,
    properties: {
      ...(ids ? { id: { type: "string" as const, pattern: "^[1-9]\\d*$" } } : {}),
      event: { const: event },
      data: {
        type: "string" as const,
        contentMediaType: "application/json",
        contentSchema: { $ref: `#/components/schemas/${schemaName(prefix, event)}` },
      },
    },
    required: [...(ids ? ["id"] : []), "event", "data"],
  }));
  const schema = { type: "array" as const, items: { oneOf: items } };
  return { description, content: { "text/event-stream": { schema: z.array(z.unknown()).openapi(schema as never) } } };
}

export function registerEvents(app: OpenAPIHono<AppEnv>, prefix: string, events: EventSchemas): void {
  for (const [event, schema] of Object.entries(events)) {
    app.openAPIRegistry.register(schemaName(prefix, event), schema);
  }
}

/** `search.start` of `Chat` is `ChatSearchStart`. */
function schemaName(prefix: string, event: string): string {
  const words = event.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${prefix}${words.join("")}Event`;
}
