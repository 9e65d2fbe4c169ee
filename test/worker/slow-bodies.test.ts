import { OpenAPIHono } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import type { AppEnv } from "../../routes/context.ts";
import { requestBody } from "../../routes/request-body.ts";
import { SluiceError } from "../../src/errors.ts";

/** A route that takes any JSON, behind short limits. */
function app(times: { idle: number; whole: number }) {
  const built = new OpenAPIHono<AppEnv>();
  built.use(async (c, next) => {
    c.set("clock", { now: () => Date.now() });
    await next();
  });
  built.use(requestBody(times));
  built.post("/v1/web-search", async (c) => {
    // As most routes do: whatever is wrong with a body is "no JSON" to them.
    const body = await c.req.json<unknown>().catch(() => "no JSON");
    return c.json({ body });
  });
  built.post("/without-looking", (c) => c.json({ body: "not read" }));
  built.onError((error, c) => c.json({ code: error instanceof SluiceError ? error.code : String(error) }, 400));
  return built;
}

/** The pieces with a pause before each; with `stops`, nothing more comes after them. */
function slowly(pieces: readonly string[], pauseMs: number, stops = false) {
  let next = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces[next++];
        if (piece === undefined && stops) return new Promise(() => {});
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { body, asked: () => next, cancelled: () => cancelled };
}

const send = async (
  built: ReturnType<typeof app>,
  body: ReadableStream,
  { path = "/v1/web-search", length }: { path?: string; length?: number } = {},
) => {
  const headers: HeadersInit = length === undefined ? {} : { "content-length": String(length) };
  return (await built.request(path, { method: "POST", headers, body })).json<{ code?: string; body?: unknown }>();
};

describe("a body that comes slowly", () => {
  it("is given up when nothing comes any more, and nobody waits for its sender", async () => {
    const slow = slowly(['{"query":'], 1, true);
    expect(await send(app({ idle: 60, whole: 5_000 }), slow.body)).toEqual({ code: "body-too-slow" });
    expect(slow.cancelled()).toBe(true);
  });

  it("is given up as well when it says how long it is", async () => {
    const slow = slowly(['{"query":'], 1, true);
    const given = app({ idle: 60, whole: 5_000 });
    expect(await send(given, slow.body, { length: 15 })).toEqual({ code: "body-too-slow" });
    const whole = slowly(['{"que', 'ry":"cat"}'], 10);
    expect(await send(given, whole.body, { length: 15 })).toEqual({ body: { query: "cat" } });
  });

  it("is given up when it goes on and on", async () => {
    const slow = slowly(
      Array.from({ length: 200 }, () => " "),
      20,
    );
    expect(await send(app({ idle: 5_000, whole: 200 }), slow.body)).toEqual({ code: "body-too-slow" });
  });

  it("is taken when every piece comes in time", async () => {
    const slow = slowly(['{"que', 'ry":', '"cat"}'], 30);
    expect(await send(app({ idle: 2_000, whole: 5_000 }), slow.body)).toEqual({ body: { query: "cat" } });
  });

  it("is not read where nobody asks for it: a caller without a key is refused at once", async () => {
    const slow = slowly(["{}"], 1, true);
    expect(await send(app({ idle: 60, whole: 200 }), slow.body, { path: "/without-looking" })).toEqual({
      body: "not read",
    });
    expect(slow.asked()).toBe(0);
  });
});
