import { OpenAPIHono } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import { SluiceError } from "../src/errors.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { batchOf, noBatch } from "./batch-views.ts";
import type { AppEnv } from "./context.ts";
import { allowOnly } from "./guards.ts";
import { projectOf } from "./projects.ts";

const PATH = "/v1/projects/:project/batches/:batch/events";
const POLL_MS = 500;
const EVENTS_AT_ONCE = 200;
/** Quiet until the first event, a client that left is found by writing; later less often. */
const FIRST_KEEP_ALIVE_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;
/** Then the client comes again with `Last-Event-ID`, and has lost nothing. */
const LONGEST_MS = 15 * 60_000;

/**
 * `GET …/batches/{id}/events`: `row`, `progress` and `done` as Server-Sent Events (HTML Living Standard §9.2). Ids count
 * from 1; `Last-Event-ID` goes on behind the one that was seen last. Ends after `done`.
 */
export function batchEventRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>();
  app.get(PATH, requireScope("batches"), async (c) => {
    const batch = batchOf(c, projectOf(c, c.req.param("project")), c.req.param("batch"));
    if ((await batch.view(-1, 1)) === undefined) throw noBatch();
    const { clock } = c.var;
    let last = lastEventId(c.req.header("last-event-id"));
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
  allowOnly(app, PATH, ["GET"]);
  return app;
}

function lastEventId(header: string | undefined): number {
  if (header === undefined || header === "") return 0;
  if (!/^\d{1,15}$/.test(header)) {
    throw new SluiceError("invalid-request", "Last-Event-ID is not the id of an event of this stream.");
  }
  return Number(header);
}
