import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import { ROW_STATUSES } from "../src/batches/rows.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { batchOf, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly } from "./guards.ts";
import { projectOf, projectParam } from "./projects.ts";
import { keyWith, problemAnswers } from "./schemas.ts";
import { eventStream, registerEvents } from "./sse.ts";

const POLL_MS = 500;
const EVENTS_AT_ONCE = 200;
/** Quiet until the first event, a client that left is found by writing; later less often. */
const FIRST_KEEP_ALIVE_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** Then the client comes again with `Last-Event-ID`, and has lost nothing. */
const LONGEST_MS = 15 * 60_000;

const status = z.enum(ROW_STATUSES);
const counts = z.record(status, z.int());

const EVENTS = {
  row: z.object({
    filename: z.string(),
    status,
    previous_status: status,
    last_error: z.string().optional(),
    retry_at: z.iso.datetime().optional(),
  }),
  progress: z.object({ counts }),
  done: z.object({ state: z.enum(["idle", "cancelled"]), counts }),
};

const route = createRoute({
  method: "get",
  path: "/v1/projects/{project}/batches/{batch}/events",
  operationId: "watchBatch",
  summary: "A batch as it runs, as Server-Sent Events",
  description: "Ids count from 1; `Last-Event-ID` goes on behind the one that was seen last. Ends after `done`.",
  tags: ["Batches"],
  security: keyWith("batches"),
  middleware: [requireScope("batches")] as const,
  request: {
    params: z.object({ project: projectParam, batch: z.string().openapi({ example: "b_1" }) }),
    headers: z.object({
      "last-event-id": z
        .string()
        .regex(/^\d{0,15}$/, "is not the id of an event of this stream")
        .optional(),
    }),
  },
  responses: {
    200: eventStream("Batch", "`row` and `progress` at every change, `done` at the end", EVENTS, true),
    ...problemAnswers(400, 401, 404),
  },
});

/** HTML Living Standard §9.2. */
export function batchEventRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  registerEvents(app, "Batch", EVENTS);
  app.openapi(route, async (c) => {
    const { project, batch: id } = c.req.valid("param");
    const batch = batchOf(c, projectOf(c, project), id);
    if ((await batch.view(-1, 1)) === undefined) throw noBatch();
    const { clock } = c.var;
    let last = Number(c.req.valid("header")["last-event-id"] ?? 0);
    return streamSSE(c, async (stream) => {
      const end = clock.now() + LONGEST_MS;
      let written = clock.now();
      let seen = false;
      while (!stream.aborted && !stream.closed && clock.now() < end) {
        const { events, open } = await batch.events(last, EVENTS_AT_ONCE);
        for (const event of events) {
          await stream.writeSSE({ id: String(event.id), event: event.type, data: JSON.stringify(event.data) });
          last = event.id;
        }
        if (events.length > 0) [written, seen] = [clock.now(), true];
        if (events.length === 0 && !open) return;
        if (clock.now() - written >= (seen ? KEEP_ALIVE_MS : FIRST_KEEP_ALIVE_MS)) {
          await stream.write(": keep-alive\n\n");
          written = clock.now();
        }
        if (events.length < EVENTS_AT_ONCE) await stream.sleep(POLL_MS);
      }
    });
  });
  allowOnly(app, "/v1/projects/:project/batches/:batch/events", ["GET"]);
  return app;
}
