import { EgressError } from "./egress-error.ts";

/**
 * Reads a body whole, counting while it streams: `too-large` as soon as `maxBytes` is passed, without reading on.
 * A body that ends before its Content-Length is `network`: cut short is not complete.
 */
export async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const promised = Number(response.headers.get("content-length") ?? Number.NaN);
  if (promised > maxBytes) {
    await response.body?.cancel().catch(() => {});
    throw new EgressError("too-large", `the body is ${promised} bytes, more than the ${maxBytes} allowed`);
  }
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => {});
      throw new EgressError("too-large", `the body is more than the ${maxBytes} bytes allowed`);
    }
    chunks.push(value);
  }
  const encoded = response.headers.has("content-encoding");
  if (!encoded && Number.isFinite(promised) && size < promised) {
    throw new EgressError("network", `the body ended after ${size} of ${promised} bytes`);
  }
  return joined(chunks, size);
}

/** The first `wanted` bytes (fewer if the body is shorter); the rest is not read. */
export async function readHead(response: Response, wanted: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  while (size < wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    chunks.push(value);
  }
  await reader.cancel().catch(() => {});
  return joined(chunks, size).subarray(0, wanted);
}

/**
 * Passes a body on as it is asked for, counting: errors with `too-large` as soon as `maxBytes` is passed. Cancelling it
 * cancels the source. `failure` turns what the source errors with into what a reader may see.
 */
export function cappedStream(
  source: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  failure: (error: unknown) => EgressError,
): ReadableStream<Uint8Array> {
  const reader = source?.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = (await reader?.read().catch((error: unknown) => {
          throw failure(error);
        })) ?? { done: true, value: undefined };
        if (done) return controller.close();
        size += value.byteLength;
        if (size <= maxBytes) return controller.enqueue(value);
        await reader?.cancel().catch(() => {});
        throw new EgressError("too-large", `the body is more than the ${maxBytes} bytes allowed`);
      },
      cancel: (reason) => reader?.cancel(reason),
    },
    // Nothing is read ahead: a reader that waits makes the upstream wait.
    { highWaterMark: 0 },
  );
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
