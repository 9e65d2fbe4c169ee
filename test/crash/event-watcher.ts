import { setTimeout as wait } from "node:timers/promises";

export interface WatchedEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const RECONNECT_MS = 100;

/**
 * Reads a batch's event stream as a browser does: when the connection ends, it comes again with the id of the last
 * event that it saw. Returns all events once the batch is done, or when `signal` is aborted.
 *
 * @param key headers that name the caller
 * @param leaveAfter counts of events behind which the watcher breaks off the connection by itself
 */
export async function watchBatch(
  eventsUrl: string,
  signal: AbortSignal,
  leaveAfter: readonly number[] = [],
  key: Readonly<Record<string, string>> = {},
): Promise<WatchedEvent[]> {
  const events: WatchedEvent[] = [];
  while (!signal.aborted && events.at(-1)?.type !== "done") {
    try {
      const headers = { ...key, "last-event-id": String(events.at(-1)?.id ?? 0) };
      const response = await fetch(eventsUrl, { headers, signal });
      for await (const event of eventsOf(response)) {
        events.push(event);
        if (leaveAfter.includes(events.length)) break;
      }
    } catch {
      // The server is down: it comes back, or the signal ends the watch.
    }
    if (events.at(-1)?.type !== "done") await wait(RECONNECT_MS);
  }
  return events;
}

async function* eventsOf(response: Response): AsyncGenerator<WatchedEvent> {
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const [id, type, data] = [field("id"), field("event"), field("data")];
      // Keep-alive comments have no fields.
      if (id === undefined || type === undefined || data === undefined) continue;
      yield { id: Number(id), type, data: JSON.parse(data) as WatchedEvent["data"] };
    }
  }
}
