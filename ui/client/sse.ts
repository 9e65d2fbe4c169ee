import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Events of a body of Server-Sent Events, as they arrive. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      while (ready.length > 0) yield ready.shift()!;
    }
  } finally {
    // Also when the reader of the events has left: the server hears of it.
    await reader.cancel().catch(() => {});
  }
}

export interface WatchOptions {
  /** Opens the stream behind an event; `undefined` at the start. Rejects when nothing can be read. */
  open(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array>>;
  onEvent(event: EventSourceMessage): void;
  /** The event behind which nothing comes. */
  isLast(event: EventSourceMessage): boolean;
  /** Told when the connection is lost, and when it is there again. */
  onConnection(connected: boolean): void;
  /** Whether it is worth trying again after this. */
  isTransient(error: unknown): boolean;
  wait(ms: number): Promise<void>;
  readonly signal: AbortSignal;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 15_000;

/** Follows a stream to its last event and comes again with `Last-Event-ID` whenever it breaks, so that nothing is lost. */
export async function watchEvents(options: WatchOptions, lastEventId?: string): Promise<string | undefined> {
  let last = lastEventId;
  let retryMs = FIRST_RETRY_MS;
  while (!options.signal.aborted) {
    try {
      const body = await options.open(last);
      options.onConnection(true);
      for await (const event of readEvents(body)) {
        if (event.id !== undefined) last = event.id;
        retryMs = FIRST_RETRY_MS;
        options.onEvent(event);
        if (options.isLast(event)) return last;
      }
    } catch (error) {
      if (options.signal.aborted) return last;
      if (!options.isTransient(error)) throw error;
    }
    options.onConnection(false);
    await options.wait(retryMs);
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
  }
  return last;
}
