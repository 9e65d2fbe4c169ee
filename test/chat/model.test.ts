import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ModelError } from "../../src/chat/model-errors.ts";
import { MODEL_LIMITS, type ModelLimits, streamAnswer } from "../../src/chat/model.ts";
import { Door } from "../../src/egress/door.ts";
import { FAULT_CASES } from "../upstreams/fault-cases.ts";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { startUpstreams } from "../upstreams/server.ts";

let upstreams: Awaited<ReturnType<typeof startUpstreams>>;
let scope = "";
let scopes = 0;

beforeAll(async () => {
  upstreams = await startUpstreams({ port: 0 });
});
afterAll(() => upstreams.close());
beforeEach(() => {
  scope = `${upstreams.url}/__scope/model-${++scopes}`;
});

const CHAT = { baseUrl: "https://chat.example/v1", apiKey: TEST_KEYS["CHAT_API_KEY"]!, model: "test-chat-model" };

interface Call {
  path: string;
  body: string;
  headers: Record<string, string>;
  aborted?: boolean;
}

async function calls(): Promise<Call[]> {
  return ((await (await fetch(`${scope}/__requests`)).json()) as { requests: Call[] }).requests;
}

async function fault(body: unknown): Promise<void> {
  const response = await fetch(`${scope}/__faults/chat`, { method: "PUT", body: JSON.stringify(body) });
  expect(response.status).toBe(204);
}

function answer(text: string, signal = new AbortController().signal, more: Partial<ModelLimits> = {}) {
  const settings = { proxy: scope, allowHttp: false, userAgent: "Sluice/0.1 (ops@sluice.example)" };
  const door = new Door(settings, { now: () => performance.now() });
  return streamAnswer(CHAT, [{ role: "user", content: text }], { door, signal, limits: { ...MODEL_LIMITS, ...more } });
}

async function collected(
  text: string,
  more: Partial<ModelLimits> = {},
): Promise<{ pieces: string[]; error?: ModelError }> {
  const pieces: string[] = [];
  try {
    for await (const piece of answer(text, undefined, more)) pieces.push(piece);
    return { pieces };
  } catch (error) {
    expect(error).toBeInstanceOf(ModelError);
    return { pieces, error: error as ModelError };
  }
}

async function endedUpstream(): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if ((await calls())[0]?.aborted === true) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

describe("a chat model's answer", () => {
  it("comes piece by piece, asked for with the key and as a stream", async () => {
    expect((await collected("hello")).pieces).toEqual(["Gold ", "is ", "yellow."]);
    const [call] = await calls();
    expect(call).toMatchObject({ path: "/v1/chat/completions", headers: { authorization: `Bearer ${CHAT.apiKey}` } });
    expect(JSON.parse(call!.body)).toEqual({
      model: "test-chat-model",
      stream: true,
      messages: [{ role: "user", content: "hello" }],
    });
  });

  it("is taken whole from an endpoint that does not stream", async () => {
    expect((await collected("/plain")).pieces).toEqual(["Gold is yellow."]);
  });

  it("tells what it cost where the endpoint says so unasked", async () => {
    const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
    const last = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 } };
    const body = `${event({ choices: [{ delta: { content: "Hi" }, finish_reason: "stop" }] })}${event(last)}data: [DONE]\n\n`;
    await fault({ status: 200, headers: { "content-type": "text/event-stream" }, body });
    const used: unknown[] = [];
    const settings = { proxy: scope, allowHttp: false, userAgent: "Sluice/0.1 (ops@sluice.example)" };
    const door = new Door(settings, { now: () => performance.now() });
    const options = { door, signal: new AbortController().signal, onUsage: (usage: unknown) => void used.push(usage) };
    const pieces: string[] = [];
    for await (const piece of streamAnswer(CHAT, [{ role: "user", content: "a" }], options)) pieces.push(piece);
    expect(pieces).toEqual(["Hi"]);
    expect(used).toEqual([{ input: 7, total: 9 }]);
  });

  it("keeps letters whole that are cut between two packets", async () => {
    await fault({ slowBody: { bytesPerSecond: 6_000 } });
    const { pieces } = await collected("/echo giá vàng 🔍");
    expect(pieces.join("")).toContain("giá vàng 🔍");
  });

  it.each(FAULT_CASES["chat"]!)("fails by class: $id", async ({ id, expected }) => {
    await fault({ case: id });
    const { pieces, error } = await collected("hello");
    expect(pieces).toEqual([]);
    expect(error?.class).toBe(expected);
    expect(error?.message).not.toContain(CHAT.apiKey);
  });

  it.each([
    ["/break", "transient"],
    ["/trouble", "transient"],
    ["/filter", "blocked"],
  ])("that goes wrong on its way keeps what came, and then says so: %s", async (text, expected) => {
    const { pieces, error } = await collected(text);
    expect(pieces[0]).toBe("Gold ");
    expect(error?.class).toBe(expected);
  });

  it("may not pause for longer than the limit, and is ended upstream then", async () => {
    const { pieces, error } = await collected("/stall", { idleMs: 150 });
    expect(pieces).toEqual(["Gold "]);
    expect(error).toMatchObject({ class: "timeout", message: "the chat model was silent for 150 ms" });
    expect(await endedUpstream()).toBe(true);
  });

  it("may not let us wait for its headers", async () => {
    await fault({ hang: true });
    expect((await collected("hello", { firstByteMs: 100 })).error?.class).toBe("timeout");
  });

  it("may not be endless", async () => {
    const long = `/echo ${"x".repeat(4_000)}`;
    expect((await collected(long, { maxBytes: 2_000 })).error?.class).toBe("malformed");
  });

  it("ends upstream when its reader stops", async () => {
    for await (const piece of answer("/stall")) {
      expect(piece).toBe("Gold ");
      break;
    }
    expect(await endedUpstream()).toBe(true);
  });

  it("ends upstream when the client leaves", async () => {
    const client = new AbortController();
    const pieces = answer("/stall", client.signal);
    await pieces.next();
    client.abort();
    await expect(pieces.next()).rejects.toMatchObject({ class: "timeout" });
    expect(await endedUpstream()).toBe(true);
  });
});
