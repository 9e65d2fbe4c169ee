import { until } from "../test/crash/until.ts";

/** The heap of the Worker's isolate, through workerd's inspector (the Chrome DevTools Protocol over a WebSocket). */
export interface IsolateHeap {
  /** Bytes that the isolate holds once its garbage is collected, array buffers included. */
  liveBytes(): Promise<number>;
  close(): void;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const REPLY_MS = 30_000;
const WAKE_MS = 50;

/**
 * `service` is what Miniflare calls the Worker: `core:user:<name>`. An isolate collects when it serves a request, so
 * `wake` makes one.
 */
export async function openIsolateHeap(
  port: number,
  service: string,
  wake: () => Promise<unknown>,
): Promise<IsolateHeap> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${service}`);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Reply;
    if (id === undefined) return;
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
    waiting.delete(id);
  });

  async function call(method: string): Promise<unknown> {
    const id = ++calls;
    const reply = Promise.withResolvers<unknown>();
    waiting.set(id, reply);
    const timer = setTimeout(() => reply.reject(new Error(`No reply to ${method}.`)), REPLY_MS);
    socket.send(JSON.stringify({ id, method }));
    return reply.promise.finally(() => clearTimeout(timer));
  }

  async function collectGarbage(): Promise<void> {
    let collected = false;
    const reply = call("HeapProfiler.collectGarbage").then(() => (collected = true));
    const woken = until(
      "the isolate collects",
      REPLY_MS,
      async () => {
        await wake();
        return collected;
      },
      WAKE_MS,
    );
    await Promise.all([reply, woken]);
  }

  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error(`No inspector of ${service} at port ${port}.`)));
  });
  await call("HeapProfiler.enable");
  return {
    liveBytes: async () => {
      // The inspector itself keeps the last thousand lines of the log.
      await call("Runtime.discardConsoleEntries");
      await collectGarbage();
      const { usedSize, backingStorageSize } = (await call("Runtime.getHeapUsage")) as HeapUsage;
      return usedSize + backingStorageSize;
    },
    close: () => socket.close(),
  };
}
