import { describe, expect, it } from "vitest";
import { deadlineIn } from "../../src/cascade/deadline.ts";
import { ALWAYS_WELL } from "../../src/cascade/health.ts";
import { type ChatEventName, runChat } from "../../src/chat/chat.ts";
import { chatRequestSchema } from "../../src/chat/request.ts";
import { SharedDoor } from "../../src/chat/shared-door.ts";
import { readConfig } from "../../src/config.ts";
import { Door, type SendOptions } from "../../src/egress/door.ts";
import { EgressError } from "../../src/egress/egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "../../src/egress/wire.ts";
import type { ToolResult, ToolRunner } from "../../src/tools/types.ts";

const clock = { now: () => performance.now() };
const SETTINGS = { allowHttp: false, userAgent: "test" };
const attempt = { provider: "p", outcome: "failed", class: "timeout", ms: 1, cached: false, kept: 0 } as const;
const late = { outcome: "failed", class: "timeout", markdown: "", results: [] } as const;

/** Every event of a chat without a model, whose tools have `limitMs` together. */
async function chat(run: ToolRunner["run"], tools: string[], limitMs = 60) {
  const events: { event: ChatEventName; data: Readonly<Record<string, unknown>> }[] = [];
  const started = clock.now();
  await runChat(chatRequestSchema(tools).parse({ message: "cat", tools }), {
    context: {
      config: readConfig({}),
      door: new Door(SETTINGS, clock),
      clock,
      deadline: deadlineIn(limitMs, clock),
      health: ALWAYS_WELL,
    },
    tools: { ids: () => tools, run },
    fence: "f",
    signal: new AbortController().signal,
    emit: (event, data) => Promise.resolve(void events.push({ event, data })),
  });
  return { events, ms: clock.now() - started };
}

describe("tools under one deadline", () => {
  it("end together, and one that hangs does not hold up what another found", async () => {
    const hit: ToolResult = { tool: "a", outcome: "hit", markdown: "found", results: [], attempts: [] };
    const { events, ms } = await chat((id) => (id === "a" ? Promise.resolve(hit) : new Promise(() => {})), ["b", "a"]);
    expect(ms).toBeLessThan(2_000);
    const results = events.filter(({ event }) => event === "search.result").map(({ data }) => data);
    expect(results).toMatchObject([
      { tool: "a", outcome: "hit" },
      { tool: "b", outcome: "failed", class: "timeout" },
    ]);
    expect(events.at(-1)).toMatchObject({ event: "complete", data: { response: "found", model: null } });
  });

  it("keep their record when the time ends", async () => {
    const run: ToolRunner["run"] = (tool, _, { deadline }) =>
      new Promise((resolve) => {
        // A cascade tells what it did a moment after it was ended.
        const end = () => setTimeout(() => resolve({ tool, ...late, attempts: [attempt] }), 20);
        deadline.signal.addEventListener("abort", end, { once: true });
      });
    const { events } = await chat(run, ["a"]);
    expect(events.map(({ event }) => event)).toContain("search.attempt");
  });

  it("fail without an error's text when something of ours breaks", async () => {
    const { events } = await chat(() => Promise.reject(new Error("key=secret")), ["a"]);
    expect(events.find(({ event }) => event === "search.result")!.data).toMatchObject({ class: "transient" });
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

describe("calls that several tools would make", () => {
  class Counting extends Door {
    readonly asked: string[] = [];
    broken = false;

    override async send({ url }: UpstreamRequest): Promise<UpstreamReply> {
      this.asked.push(url);
      await Promise.resolve();
      if (this.broken) throw new EgressError("network", "broke off");
      return { status: 200, headers: new Headers(), body: url, receivedAt: 0 };
    }
  }
  const options = { timeLimitMs: 1_000, maxBytes: 1_000, signal: new AbortController().signal };
  const url = "https://a.example/";

  it("are made once, where address, headers and body are the same", async () => {
    const outside = new Counting(SETTINGS, clock);
    const door = new SharedDoor(outside, SETTINGS, clock);
    const [one, two] = await Promise.all([door.send({ url }, options), door.send({ url }, options)]);
    expect(one).toEqual(two);
    await door.send({ url, headers: { "x-key": "2" } }, options);
    await door.send({ url, method: "POST", body: "{}" }, options);
    await door.send({ url }, options);
    expect(outside.asked).toHaveLength(3);
  });

  it("are made again when they broke off", async () => {
    const outside = new Counting(SETTINGS, clock);
    outside.broken = true;
    const door = new SharedDoor(outside, SETTINGS, clock);
    await expect(door.send({ url }, options)).rejects.toThrow("broke off");
    outside.broken = false;
    expect((await door.send({ url }, options)).status).toBe(200);
  });

  it("go on for those who still want them, and end when nobody does", async () => {
    const signals: AbortSignal[] = [];
    const answer = Promise.withResolvers<UpstreamReply>();
    class Slow extends Door {
      override send(_: UpstreamRequest, { signal }: SendOptions): Promise<UpstreamReply> {
        signals.push(signal);
        return answer.promise;
      }
    }
    const door = new SharedDoor(new Slow(SETTINGS, clock), SETTINGS, clock);
    const [one, two, three] = [new AbortController(), new AbortController(), new AbortController()];
    const ask = ({ signal }: AbortController) => door.send({ url }, { ...options, signal });
    const [lost, won] = [ask(one), ask(two)];
    one.abort();
    await expect(lost).rejects.toThrow("ended");
    expect(signals[0]!.aborted).toBe(false);
    two.abort();
    await expect(won).rejects.toThrow("ended");
    expect(signals[0]!.aborted).toBe(true);
    const again = ask(three);
    expect(signals).toHaveLength(2);
    answer.resolve({ status: 200, headers: new Headers(), body: "", receivedAt: 0 });
    expect((await again).status).toBe(200);
  });
});
