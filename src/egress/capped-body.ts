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
  // Of an encoded body, the length says nothing of what comes out.
  if (Number.isFinite(promised) && !response.headers.has("content-encoding")) return readPromised(response, promised);
  const whole = new GatheredBytes(0);
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (whole.size + value.byteLength > maxBytes) {
      await reader.cancel().catch(() => {});
      throw new EgressError("too-large", `the body is more than the ${maxBytes} bytes allowed`);
    }
    whole.add(value);
  }
  return whole.bytes();
}

/** HTTP itself lets no more bytes through than were promised, so the platform may read them in one go. */
async function readPromised(response: Response, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength >= length) return bytes;
  throw new EgressError("network", `the body ended after ${bytes.byteLength} of ${length} bytes`);
}

/** The first `wanted` bytes (fewer if the body is shorter); the rest is not read. */
export async function readHead(response: Response, wanted: number): Promise<Uint8Array<ArrayBuffer>> {
  if (response.body === null) return new Uint8Array();
  const head = new GatheredBytes(wanted);
  const reader = response.body.getReader();
  while (head.size < wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    head.add(value);
  }
  await reader.cancel().catch(() => {});
  return head.bytes().subarray(0, wanted);
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

/** Bytes that come in chunks. With the right expectation they are held once: an original can be a fifth of an isolate. */
class GatheredBytes {
  #buffer: Uint8Array<ArrayBuffer>;
  size = 0;

  constructor(expected: number) {
    this.#buffer = new Uint8Array(expected);
  }

  add(chunk: Uint8Array): void {
    const size = this.size + chunk.byteLength;
    if (size > this.#buffer.byteLength) {
      const larger = new Uint8Array(Math.max(size, 2 * this.size));
      larger.set(this.#buffer.subarray(0, this.size));
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.size);
    this.size = size;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.size === this.#buffer.byteLength ? this.#buffer : this.#buffer.slice(0, this.size);
  }
}
