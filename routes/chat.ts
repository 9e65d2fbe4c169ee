import { createRoute, OpenAPIHono } from "@hono/zod-openapi";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { deadlineIn, type Clock } from "../src/cascade/deadline.ts";
import { type ChatEventName, runChat } from "../src/chat/chat.ts";
import { ModelError } from "../src/chat/model-errors.ts";
import { chatRequestSchema } from "../src/chat/request.ts";
import { toolRunner, TOOLS } from "../src/tools/registry.ts";
import type { App } from "./app.ts";
import { requireScope } from "./auth.ts";
import { CHAT_EVENTS } from "./chat-events.ts";
import { type AppEnv, jobContext } from "./context.ts";
import { throwFaults } from "./field-faults.ts";
import { allowOnly, requireJson } from "./guards.ts";
import { hostForRequest } from "./reverse-image.ts";
import { jsonBody, keyWith, problemAnswers } from "./schemas.ts";
import { eventStream, registerEvents } from "./sse.ts";

const PATH = "/chat/stream";
/** For all tools together. */
const TOOLS_LIMIT_MS = 20_000;
/** Also for a client that stays and no longer reads. */
const LONGEST_MS = 10 * 60_000;
/** A client that left is found by writing: often while everybody waits, seldom once the answer comes. */
const FIRST_KEEP_ALIVE_MS = 1_000;
const KEEP_ALIVE_MS = 15_000;

const route = createRoute({
  method: "post",
  path: PATH,
  operationId: "streamChat",
  summary: "Search with the chosen tools, or as the message asks for, and stream a model's answer",
  tags: ["Chat"],
  security: keyWith("search"),
  middleware: [requireScope("search"), requireJson] as const,
  request: {
    body: jsonBody(chatRequestSchema(TOOLS.map(({ id }) => id)), {
      message: "Which lake is the deepest?",
      language: "en",
      tools: ["google-search"],
    }),
  },
  responses: {
    200: eventStream(
      "Chat",
      "Server-Sent Events: `metadata`; `search.start`, `search.attempt`, `search.result` per tool; `chunk`; then `complete` or `error`",
      CHAT_EVENTS,
      false,
    ),
    ...problemAnswers(400, 401, 413, 415),
  },
});

export function chatRoutes(): App {
  const app: App = new OpenAPIHono<AppEnv>({ strict: false, defaultHook: throwFaults });
  registerEvents(app, "Chat", CHAT_EVENTS);
  app.openapi(route, async (c) => {
    const request = c.req.valid("json");
    const { clock } = c.var;
    const job = await jobContext(c, TOOLS_LIMIT_MS);
    const requestId = c.var.requestId.replaceAll("-", "").slice(0, 12);
    c.header("x-accel-buffering", "no");
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      c.req.raw.signal.addEventListener("abort", () => gone.abort(), { once: true });
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(LONGEST_MS)]);
      const context = { ...job, deadline: deadlineIn(TOOLS_LIMIT_MS, clock, signal) };
      const keepAlive = new KeepAlive(stream, clock);
      const emit = async (event: ChatEventName, data: Readonly<Record<string, unknown>>) => {
        keepAlive.wrote(event);
        await stream.writeSSE({ event, data: JSON.stringify({ request_id: requestId, ...data }) });
      };
      const tools = toolRunner({
        hostImage: (dataUrl) => hostForRequest(c, dataUrl, context),
        waitUntil: (work) => c.executionCtx.waitUntil(work),
      });
      try {
        await runChat(request, { context, tools, fence: randomFence(), signal, emit });
      } catch (error) {
        if (!gone.signal.aborted) await emit("error", errorBody(error));
      } finally {
        keepAlive.stop();
        gone.abort();
      }
    });
  });
  allowOnly(app, PATH, ["POST"]);
  return app;
}

/** A comment whenever nothing else has been written for a while. */
class KeepAlive {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #clock: Clock;
  #writtenAt: number;
  #answering = false;
  #writing = false;

  constructor(stream: SSEStreamingApi, clock: Clock) {
    this.#clock = clock;
    this.#writtenAt = clock.now();
    this.#timer = setInterval(() => void this.#tick(stream), FIRST_KEEP_ALIVE_MS);
  }

  wrote(event: ChatEventName): void {
    this.#writtenAt = this.#clock.now();
    this.#answering ||= event === "chunk";
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #tick(stream: SSEStreamingApi): Promise<void> {
    const quiet = this.#clock.now() - this.#writtenAt;
    // Behind a client that does not read, comments would only pile up.
    if (this.#writing || (this.#answering && quiet < KEEP_ALIVE_MS)) return;
    this.#writing = true;
    await stream.write(": keep-alive\n\n");
    this.#writtenAt = this.#clock.now();
    this.#writing = false;
  }
}

function errorBody(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ModelError) return { error: error.message, code: "model-failed", class: error.class };
  return { error: "The request could not be finished.", code: "internal" };
}

function randomFence(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toHex();
}
