import { inTime } from "../cascade/within.ts";
import { createParser } from "eventsource-parser";
import type { Config } from "../config.ts";
import type { Door, StreamedReply } from "../egress/door.ts";
import { EgressError } from "../egress/egress-error.ts";
import { errorInStream, errorOfEgress, errorOfStatus, ModelError } from "./model-errors.ts";

/** A message of the chat completions wire (platform.openai.com/docs/api-reference/chat). */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string | readonly ContentPart[];
}

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export interface ModelLimits {
  /** Milliseconds until the answer's headers. */
  readonly firstByteMs: number;
  /** Milliseconds without anything between two pieces. */
  readonly idleMs: number;
  readonly maxBytes: number;
}

/** Tokens of one answer, as its endpoint counts them. */
export interface TokenUsage {
  readonly input: number;
  readonly total: number;
}

export const MODEL_LIMITS: ModelLimits = { firstByteMs: 60_000, idleMs: 45_000, maxBytes: 8 * 1024 * 1024 };

/** Of an answer that is no stream: an error, or a whole completion from an endpoint that cannot stream. */
const MAX_PLAIN_CHARACTERS = 1_000_000;
/** One event holds a few words. */
const MAX_EVENT_CHARACTERS = 1_000_000;

/**
 * The model's answer piece by piece, asked for as fast as it is read. Throws a ModelError for whatever goes wrong, also
 * for an answer that breaks off; ends the call upstream when `signal` aborts or the reader stops.
 */
export async function* streamAnswer(
  chat: NonNullable<Config["chat"]>,
  messages: readonly ModelMessage[],
  {
    door,
    signal,
    limits = MODEL_LIMITS,
    onUsage = () => {},
  }: { door: Door; signal: AbortSignal; limits?: ModelLimits; onUsage?: (usage: TokenUsage) => void },
): AsyncGenerator<string, void> {
  const reply = await asked(chat, messages, door, signal, limits);
  const text = textOf(reply.body, limits.idleMs);
  const type = reply.headers.get("content-type") ?? "";
  if (reply.status === 200 && /^text\/event-stream\b/i.test(type)) {
    yield* piecesOf(text, onUsage);
    return;
  }
  const body = await whole(text);
  if (reply.status !== 200) throw errorOfStatus(reply.status, body);
  const event = eventIn(body);
  yield completionIn(event);
  const usage = usageIn(event);
  if (usage !== undefined) onUsage(usage);
}

async function asked(
  chat: NonNullable<Config["chat"]>,
  messages: readonly ModelMessage[],
  door: Door,
  signal: AbortSignal,
  limits: ModelLimits,
): Promise<StreamedReply> {
  const request = {
    url: `${chat.baseUrl}/chat/completions`,
    method: "POST" as const,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...(chat.apiKey === undefined ? {} : { authorization: `Bearer ${chat.apiKey}` }),
    },
    body: JSON.stringify({ model: chat.model, messages, stream: true }),
  };
  const options = { timeLimitMs: limits.firstByteMs, maxBytes: limits.maxBytes, signal, toOperatorHost: true };
  try {
    return await door.stream(request, options);
  } catch (error) {
    throw asModelError(error);
  }
}

/** The body as text, with a limit on every pause. The source is cancelled however this ends. */
async function* textOf(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<string, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const read = await inTime(idleMs, reader.read());
      if (read === undefined) throw new ModelError("timeout", `the chat model was silent for ${idleMs} ms`);
      if (read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } catch (error) {
    throw asModelError(error);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* piecesOf(
  text: AsyncGenerator<string, void>,
  onUsage: (usage: TokenUsage) => void,
): AsyncGenerator<string, void> {
  const events: string[] = [];
  let overlong = false;
  const parser = createParser({
    onEvent: ({ data }) => void events.push(data),
    onError: ({ type }) => void (overlong ||= type === "max-buffer-size-exceeded"),
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  let finished = false;
  for await (const part of text) {
    parser.feed(part);
    if (overlong) throw new ModelError("malformed", "the chat model sent an event without end");
    for (const data of events.splice(0)) {
      if (data.trim() === "[DONE]") return;
      const { piece, finish, usage } = deltaIn(data);
      if (usage !== undefined) onUsage(usage);
      if (piece !== "") yield piece;
      if (finish === "content_filter")
        throw new ModelError("blocked", "the chat model's safety rules ended the answer");
      finished ||= finish !== undefined;
    }
  }
  // Some endpoints end without `[DONE]`, but none ends well without a reason to finish.
  if (!finished) throw new ModelError("transient", "the chat model's answer broke off");
}

interface Choice {
  readonly delta?: { readonly content?: unknown };
  readonly message?: { readonly content?: unknown };
  readonly finish_reason?: unknown;
}

function deltaIn(data: string): { piece: string; finish?: string; usage?: TokenUsage } {
  const event = eventIn(data);
  const choice = choiceIn(event);
  const content = choice?.delta?.content;
  const usage = usageIn(event);
  return {
    piece: typeof content === "string" ? content : "",
    ...(typeof choice?.finish_reason === "string" ? { finish: choice.finish_reason } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

function completionIn(event: object): string {
  const content = choiceIn(event)?.message?.content;
  if (typeof content !== "string") throw new ModelError("malformed", "the chat model's answer holds no message");
  return content;
}

function eventIn(data: string): object {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw new ModelError("malformed", "the chat model sent what is not JSON");
  }
  if (typeof event !== "object" || event === null) throw new ModelError("malformed", "the chat model sent no object");
  if ("error" in event && event.error) throw errorInStream(event.error);
  return event;
}

/** The first choice; missing in events that only count tokens. */
function choiceIn(event: object): Choice | undefined {
  const choices: unknown = "choices" in event ? event.choices : undefined;
  return Array.isArray(choices) ? ((choices[0] ?? undefined) as Choice | undefined) : undefined;
}

/** Some endpoints count in their last event without being asked; asking would be refused by others. */
function usageIn(event: object): TokenUsage | undefined {
  if (!("usage" in event) || typeof event.usage !== "object" || event.usage === null) return undefined;
  const { prompt_tokens: input, total_tokens: total } = event.usage as {
    prompt_tokens?: unknown;
    total_tokens?: unknown;
  };
  return typeof input === "number" && typeof total === "number" ? { input, total } : undefined;
}

async function whole(text: AsyncGenerator<string, void>): Promise<string> {
  let body = "";
  for await (const part of text) {
    body += part;
    if (body.length > MAX_PLAIN_CHARACTERS) break;
  }
  return body;
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof EgressError) return errorOfEgress(error.reason, error.message);
  return new ModelError("transient", "the connection to the chat model broke");
}
