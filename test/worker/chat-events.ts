import { createParser } from "eventsource-parser";
import { expect } from "vitest";
import type { Gateway } from "./gateway.ts";

/** What clients of this contract read in `metadata`, and below in `complete`. */
export const METADATA = [
  "model",
  "context",
  "deep_thinking",
  "thinking_mode",
  "skill",
  "skill_name",
  "skill_source",
  "stream_backend",
  "stream_contract_version",
  "web_search",
  "streaming",
  "timestamp",
];
export const COMPLETE = [
  "response",
  "model",
  "context",
  "deep_thinking",
  "thinking_mode",
  "total_chunks",
  "thinking_summary",
  "thinking_steps",
  "thinking_duration_ms",
  "timestamp",
  "elapsed_time",
  "tokens",
  "max_tokens",
  "time_to_first_chunk",
  "has_image",
];

export interface ChatEvent {
  event: string;
  data: Record<string, unknown> & { request_id: string };
}

/** The events of one answer, as they come. */
class Events {
  readonly comments: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #waiting: ChatEvent[] = [];
  readonly #parser = createParser({
    onEvent: ({ event = "", data }) => void this.#waiting.push({ event, data: JSON.parse(data) as ChatEvent["data"] }),
    onComment: (comment) => void this.comments.push(comment),
  });

  constructor(response: Response) {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    this.#reader = response.body!.getReader();
  }

  async next(): Promise<ChatEvent | undefined> {
    while (this.#waiting.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#parser.feed(this.#decoder.decode(value, { stream: true }));
    }
    return this.#waiting.shift();
  }

  async until(name: string): Promise<ChatEvent> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`the stream ended without ${name}`);
      if (event.event === name) return event;
    }
  }

  async all(): Promise<ChatEvent[]> {
    const events: ChatEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

interface Call {
  upstream: string;
  body: string;
  query: Record<string, string>;
  startedAt: number;
  endedAt?: number;
  aborted?: boolean;
}

export async function callsOf(gateway: Gateway): Promise<Call[]> {
  return (await gateway.calls()).requests as unknown as Call[];
}

export async function ask(gateway: Gateway, body: Record<string, unknown>): Promise<Events> {
  return new Events(await gateway.post("/chat/stream", { language: "en", ...body }));
}

/** What reached the model. */
export async function promptOf(gateway: Gateway): Promise<{ role: string; content: string }[]> {
  const call = (await callsOf(gateway)).find(({ upstream }) => upstream === "chat");
  return (JSON.parse(call!.body) as { messages: { role: string; content: string }[] }).messages;
}
