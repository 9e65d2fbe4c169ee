import { describe, expect, it } from "vitest";
import { readEvents, watchEvents } from "../../ui/client/sse.ts";

const encoder = new TextEncoder();

/** A body in chunks of the test's choice; `breaksOff` ends it as a lost connection does. */
function bodyOf(chunks: readonly string[], breaksOff = false): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[at++];
      if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
      else if (breaksOff) controller.error(new TypeError("network error"));
      else controller.close();
    },
  });
}

const event = (id: number, name: string) => `id: ${id}\nevent: ${name}\ndata: {"n":${id}}\n\n`;

interface Watched {
  readonly seen: string[];
  readonly asked: (string | undefined)[];
  readonly waits: number[];
  readonly connections: boolean[];
  readonly last: string | undefined;
}

/** Watches connections that answer one after another; an Error stands for one that cannot be opened. */
async function watched(answers: readonly (ReadableStream<Uint8Array> | Error)[], transient = true): Promise<Watched> {
  const [seen, asked, waits, connections]: [string[], (string | undefined)[], number[], boolean[]] = [[], [], [], []];
  const left = [...answers];
  const last = await watchEvents({
    open: async (lastEventId) => {
      asked.push(lastEventId);
      const answer = left.shift();
      if (answer === undefined) throw new Error("more connections than the test has");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    onEvent: ({ id, event: name }) => seen.push(`${id} ${name}`),
    isLast: ({ event: name }) => name === "done",
    onConnection: (connected) => connections.push(connected),
    isTransient: () => transient,
    wait: async (ms) => void waits.push(ms),
    signal: new AbortController().signal,
  });
  return { seen, asked, waits, connections, last };
}

describe("events of a stream", () => {
  it("are whole wherever the bytes were cut, inside a character too", async () => {
    const bytes = encoder.encode(`: keep-alive\n\nevent: chunk\ndata: {"content":"重庆 é"}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const events = [];
    for await (const each of readEvents(body)) events.push([each.event, each.data]);
    expect(events).toEqual([["chunk", `{"content":"重庆 é"}`]]);
  });

  it("end the connection when their reader leaves", async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(event(1, "row") + event(2, "row"))),
      cancel: () => void (cancelled = true),
    });
    for await (const { id } of readEvents(body)) {
      expect(id).toBe("1");
      break;
    }
    expect(cancelled).toBe(true);
  });
});

describe("whoever watches a stream", () => {
  it("hears every event once though the connection breaks, and comes again behind the last one", async () => {
    const { seen, asked, last } = await watched([
      bodyOf([event(1, "row"), event(2, "progress")], true),
      new TypeError("refused"),
      bodyOf([event(3, "row")]),
      bodyOf([event(4, "done"), event(5, "row")]),
    ]);
    expect(seen).toEqual(["1 row", "2 progress", "3 row", "4 done"]);
    expect(asked).toEqual([undefined, "2", "2", "3"]);
    expect(last).toBe("4");
  });

  it("waits longer each time nobody answers, and is told when the connection is lost and found", async () => {
    const { waits, connections } = await watched([
      new TypeError("refused"),
      new TypeError("refused"),
      new TypeError("refused"),
      bodyOf([event(1, "done")]),
    ]);
    expect(waits).toEqual([500, 1_000, 2_000]);
    expect(connections).toEqual([false, false, false, true]);
  });

  it("gives up where another try cannot help", async () => {
    await expect(watched([new Error("forbidden")], false)).rejects.toThrow("forbidden");
  });
});
