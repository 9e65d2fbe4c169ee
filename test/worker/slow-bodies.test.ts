import { OpenAPIHono } from "@hono/zod-openapi";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AppEnv } from "../../routes/context.ts";
import { requestBody } from "../../routes/request-body.ts";
import { SluiceError } from "../../src/errors.ts";
import { operationsOf } from "../openapi/document.ts";
import { Gateway } from "./gateway.ts";
import { Description } from "./openapi-check.ts";

/** A route that takes any JSON, behind short limits. */
function app(times: { idle: number; whole: number; small: number }) {
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
  built.post("/long-without-looking", async (c) => {
    await scheduler.wait(200);
    return c.json({ body: "not read" });
  });
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
  { path = "/v1/web-search", length }: { path?: string; length?: number | undefined } = {},
) => {
  const headers: HeadersInit = length === undefined ? {} : { "content-length": String(length) };
  return (await built.request(path, { method: "POST", headers, body })).json<{ code?: string; body?: unknown }>();
};

const PIECES = ['{"que', 'ry":', '"cat"}'];

describe.each([
  ["of unknown length", undefined],
  ["that says how long it is", PIECES.join("").length],
])("a slow body %s", (_, length) => {
  it("is given up when nothing comes any more, and nobody waits for its sender", async () => {
    const slow = slowly(['{"query":'], 1, true);
    // The other limit is too far away to step in.
    const limits = { idle: 60, whole: 600_000, small: 60 };
    expect(await send(app(limits), slow.body, { length })).toEqual({ code: "body-too-slow" });
    // The platform reads the other kind, and lets go of it with the request.
    if (length === undefined) expect(slow.cancelled()).toBe(true);
  });

  it("is given up when it goes on and on", async () => {
    const slow = slowly(
      Array.from({ length: 200 }, () => " "),
      20,
    );
    expect(await send(app({ idle: 5_000, whole: 200, small: 200 }), slow.body, { length })).toEqual({
      code: "body-too-slow",
    });
  });

  it("is taken when every piece comes in time, however long they take together", async () => {
    const slow = slowly(PIECES, 120);
    expect(await send(app({ idle: 400, whole: 5_000, small: 5_000 }), slow.body, { length })).toEqual({
      body: { query: "cat" },
    });
  });

  it("is not read where nobody asks for it: a caller without a key is refused at once", async () => {
    const slow = slowly(["{}"], 1, true);
    const path = "/without-looking";
    expect(await send(app({ idle: 60, whole: 200, small: 60 }), slow.body, { path, length })).toEqual({
      body: "not read",
    });
    expect(slow.asked()).toBe(0);
  });

  it("takes no answer away from a route that does not read it, however long that works", async () => {
    const slow = slowly(["{}"], 1, true);
    const path = "/long-without-looking";
    expect(await send(app({ idle: 60, whole: 90, small: 60 }), slow.body, { path, length })).toEqual({
      body: "not read",
    });
  });
});

describe.each([
  ["of unknown length", {}],
  ["that says how long it is", { "content-length": "15" }],
])("in the whole app, a body %s", (_, length) => {
  const gateway = new Gateway();
  const headers: HeadersInit = { "content-type": "application/json", ...length };
  afterEach(() => void vi.useRealTimers());

  /** What half a body is answered half a minute later. */
  async function afterStall(path: string): Promise<Response> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const slow = slowly(['{"query":'], 1, true);
    const answer = gateway.fetch(path, { method: "POST", headers, body: slow.body });
    // Everything before the body takes its real time.
    while (slow.asked() < 2) {
      await vi.advanceTimersByTimeAsync(1);
      await scheduler.wait(1);
    }
    await vi.advanceTimersByTimeAsync(31_000);
    return answer;
  }

  it("that stops coming is answered 408 as a problem", async () => {
    const response = await afterStall("/v1/web-search");
    expect(response.status).toBe(408);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "body-too-slow", status: 408 });
  });

  it("is refused at /search in SearchGen's own members too", async () => {
    const problem = await (await afterStall("/search")).json<{ detail: string }>();
    expect(problem).toMatchObject({ code: "body-too-slow", success: false, results: [], message: problem.detail });
  });

  it("that ends early or breaks off is no JSON", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    for (const body of [slowly(['{"query":'], 1).body, broken]) {
      const response = await gateway.fetch("/v1/web-search", { method: "POST", headers, body });
      expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, "not-json"]);
    }
  });
});

describe("the description", () => {
  it("has 408 for every operation that takes a body", async () => {
    const { document } = await Description.fetch();
    const taking = operationsOf({ ...document, webhooks: {} }).filter(({ operation }) => operation.requestBody);
    expect(taking.length).toBeGreaterThan(15);
    for (const { method, path, operation } of taking)
      expect([method, path, Object.keys(operation.responses ?? {})]).toEqual([
        method,
        path,
        expect.arrayContaining(["408"]),
      ]);
  });
});
