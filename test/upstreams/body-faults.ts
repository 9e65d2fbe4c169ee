import { setTimeout as wait } from "node:timers/promises";

const TICK_MS = 50;

/** The same response, its body handed out at this pace. */
export function slowed(response: Response, bytesPerSecond: number): Response {
  const chunkSize = Math.max(1, Math.round((bytesPerSecond * TICK_MS) / 1000));
  const pause = Math.max(TICK_MS, (chunkSize * 1000) / bytesPerSecond);
  const pieces = piecesOf(response, chunkSize);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(value);
      await wait(pause);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, response);
}

async function* piecesOf(response: Response, size: number): AsyncGenerator<Uint8Array, undefined> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size);
  return undefined;
}

/** A body that begins well and never ends. */
export function endlessBody(contentType: string): ReadableStream<Uint8Array> {
  const start = contentType.startsWith("image/")
    ? Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0)
    : new TextEncoder().encode('{"results": [');
  const more = new Uint8Array(32_768).fill(0x20);
  return new ReadableStream({
    start: (controller) => controller.enqueue(start),
    async pull(controller) {
      await wait(5);
      controller.enqueue(more);
    },
  });
}
