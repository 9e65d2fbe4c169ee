import type { Deadline } from "../cascade/deadline.ts";
import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import type { ToolInput, ToolResult, ToolRunner } from "../tools/types.ts";
import { envelopeOf } from "./envelope.ts";
import { type ModelMessage, streamAnswer, type TokenUsage } from "./model.ts";
import { planOf } from "./plan.ts";
import type { ChatRequest } from "./request.ts";
import { SharedDoor } from "./shared-door.ts";

export type ChatEventName =
  | "metadata"
  | "search.start"
  | "search.attempt"
  | "search.result"
  | "chunk"
  | "complete"
  | "error";

export interface ChatServices {
  /** Its deadline is that of all tools together. */
  readonly context: JobContext;
  readonly tools: ToolRunner;
  /** Random, and new for each request. */
  readonly fence: string;
  /** Aborts when the client has left: everything upstream ends with it. */
  readonly signal: AbortSignal;
  /** Resolves when the client has taken the event. */
  emit(event: ChatEventName, data: Readonly<Record<string, unknown>>): Promise<void>;
}

/** Ours to say, whatever was asked for: the model is called once, without a chain of thoughts and without skills. */
const NO_THINKING = { deep_thinking: false, thinking_mode: "instant" } as const;
const NO_SKILL = { skill: null, skill_name: null, skill_source: null } as const;
const NO_THOUGHTS = { thinking_summary: "", thinking_steps: [], thinking_duration_ms: 0 } as const;

/** A tool whose time is over ends by itself and has its record: one that does not is left behind. */
const GRACE_MS = 250;

/** One chat request from its first event to `complete`. Throws a ModelError when the model gives no whole answer. */
export async function runChat(request: ChatRequest, services: ChatServices): Promise<void> {
  const { context, emit, signal } = services;
  const { clock, config } = context;
  const started = clock.now();
  const plan = planOf(request);
  const common = { model: config.chat?.model ?? null, context: request.context, ...NO_THINKING };
  await emit("metadata", {
    ...common,
    ...NO_SKILL,
    stream_backend: "sluice",
    stream_contract_version: "v2",
    streaming: true,
    language: request.language,
    web_search: plan.tools.length > 0,
    tools: plan.tools,
    search: {
      mode: request.search,
      web: plan.decision.search,
      reverse_image: plan.decision.reverseImage,
      score: plan.decision.score,
      reasons: plan.decision.reasons,
    },
    timestamp: new Date(started).toISOString(),
  });
  const results = await searched(plan.tools, plan.input, services);
  const searches = results.map(({ tool, outcome, class: cause }) => ({
    tool,
    outcome,
    ...(cause ? { class: cause } : {}),
  }));
  const ended = (usage?: TokenUsage) => ({
    searches,
    ...NO_THOUGHTS,
    tokens: usage?.total ?? null,
    max_tokens: null,
    ...(usage === undefined ? {} : { input_tokens: usage.input }),
    has_image: request.images.length > 0,
    elapsed_time: (clock.now() - started) / 1000,
    timestamp: new Date(clock.now()).toISOString(),
  });
  if (config.chat === undefined) {
    await emit("complete", { ...common, response: summaryOf(results), total_chunks: 0, ...ended() });
    return;
  }
  let response = "";
  let chunks = 0;
  let firstChunkAt: number | undefined;
  let usage: TokenUsage | undefined;
  for await (const content of streamAnswer(config.chat, messagesFor(request, results, services.fence), {
    door: context.door,
    signal,
    onUsage: (used) => (usage = used),
  })) {
    firstChunkAt ??= clock.now();
    response += content;
    await emit("chunk", { content, chunk_index: chunks++ });
  }
  await emit("complete", {
    ...common,
    response,
    total_chunks: chunks,
    ...(firstChunkAt === undefined ? {} : { time_to_first_chunk: (firstChunkAt - started) / 1000 }),
    ...ended(usage),
  });
}

/** All at once, under one deadline. Each says that it begins before any of them has asked anybody. */
async function searched(tools: readonly string[], input: ToolInput, services: ChatServices): Promise<ToolResult[]> {
  const { door, config, clock } = services.context;
  const shared = { ...services, context: { ...services.context, door: new SharedDoor(door, config.egress, clock) } };
  // Written in order, but no tool waits until a slow client has read them.
  const announced = tools.map((tool) => services.emit("search.start", { tool, query: input.query }));
  const results = await Promise.all(
    tools.map(async (tool) => {
      // Told one after another as they end; no search waits until a slow client has read them.
      let telling = Promise.resolve();
      const told = new Set<string>();
      const onAttempt = (attempt: Attempt) => {
        told.add(attempt.provider);
        telling = telling.then(() => services.emit("search.attempt", { tool, ...attempt }));
      };
      const result = await resultOf(tool, input, { ...shared, context: { ...shared.context, onAttempt } });
      for (const attempt of result.attempts) if (!told.has(attempt.provider)) onAttempt(attempt);
      await telling;
      const { attempts: _told, ...found } = result;
      await services.emit("search.result", found);
      return result;
    }),
  );
  await Promise.all(announced);
  return results;
}

async function resultOf(tool: string, input: ToolInput, { tools, context }: ChatServices): Promise<ToolResult> {
  const nothing = { tool, outcome: "failed", markdown: "", results: [], attempts: [] } as const;
  const late: ToolResult = { ...nothing, class: "timeout" };
  try {
    return await Promise.race([tools.run(tool, input, context), over(context.deadline, late)]);
  } catch (error) {
    // What stands in a SluiceError may be shown: a setting that is missing, or an image that nobody can read.
    const cause = error instanceof SluiceError && error.code === "misconfigured" ? "skipped" : "bad-request";
    return { ...nothing, class: error instanceof SluiceError ? cause : "transient" };
  }
}

function over<T>({ signal }: Deadline, value: T): Promise<T> {
  return new Promise((resolve) => {
    const end = () => void setTimeout(() => resolve(value), GRACE_MS);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

function messagesFor(request: ChatRequest, results: readonly ToolResult[], fence: string): ModelMessage[] {
  const { system: rules, user } = envelopeOf(request.message, results, fence, request.language);
  const system = [request.custom_prompt, rules ?? ""].filter((part) => part !== "").join("\n\n");
  const images = request.images.map((url) => ({ type: "image_url" as const, image_url: { url } }));
  return [
    ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
    ...request.history,
    { role: "user", content: images.length === 0 ? user : [{ type: "text", text: user }, ...images] },
  ];
}

/** What the tools found, for a deployment without a model. */
function summaryOf(results: readonly ToolResult[]): string {
  return results
    .map(({ markdown }) => markdown)
    .filter((markdown) => markdown !== "")
    .join("\n\n");
}
