import type { MiddlewareHandler } from "hono";
import type { Clock } from "../src/cascade/deadline.ts";
import { MAX_CHAT_BYTES } from "../src/chat/request.ts";
import { SluiceError } from "../src/errors.ts";
import { MAX_ORIGINAL_BYTES } from "../src/images/original.ts";
import { LONGEST_DATA_URL } from "../src/reverse/request.ts";
import type { AppEnv } from "./context.ts";

const MAX_BODY_BYTES = 64 * 1024;
/** A thousand rows, all pages of a deck, or a whole pool of candidates. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Routes whose bodies may be larger than most, the first match counts. */
const BODY_LIMITS: readonly (readonly [RegExp, number])[] = [
  [/\/upload\/?$/, MAX_ORIGINAL_BYTES],
  [/\/(?:batches|checkpoint|candidates)\/?$|^\/v1\/hooks\//, MAX_BATCH_BYTES],
  [/^\/v1\/(?:reverse-image|tools\/)|^\/mcp\/?$/, LONGEST_DATA_URL + MAX_BODY_BYTES],
  [/^\/chat\//, MAX_CHAT_BYTES],
];

/** Milliseconds. */
export interface BodyTimes {
  /** Between one byte and the next. */
  readonly idle: number;
  /** From the first look to the end: 25 MiB take so long on a very thin line. */
  readonly whole: number;
}

const BODY_TIMES: BodyTimes = { idle: 20_000, whole: 300_000 };

/**
 * Bounds the body of every request in bytes and in time. It is bounded as it is read: who has no key is refused before
 * anything is read, and one that says too great a length before that.
 */
export function requestBody(times: BodyTimes = BODY_TIMES): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { body } = c.req.raw;
    if (body === null) return next();
    const maxBytes = BODY_LIMITS.find(([pattern]) => pattern.test(c.req.path))?.[1] ?? MAX_BODY_BYTES;
    const length = Number(c.req.header("content-length") ?? Number.NaN);
    if (length > maxBytes) throw tooLarge(maxBytes);
    let fault: SluiceError | undefined;
    const reader = boundedReader(body, maxBytes, times, c.var.clock, (found) => (fault = found));
    if (length <= MAX_BODY_BYTES && maxBytes === MAX_BODY_BYTES) {
      let text: Promise<string> | undefined;
      // Where Hono looks first. A stream of our own would cost a search a tenth of a millisecond.
      Object.defineProperty(c.req.bodyCache, "text", {
        enumerable: true,
        get: () => (text ??= wholeText(reader, length)),
      });
    } else {
      c.req.raw = new Request(c.req.raw, { method: c.req.method, body: streamOf(reader) });
    }
    await next();
    // Whoever read it may have taken its failure for a body that is no JSON.
    if (fault !== undefined) throw fault;
  };
}

interface BoundedReader {
  /** The next bytes, undefined at the end. Errors with what `onFault` is told as well, and then reads no further. */
  read(): Promise<Uint8Array | undefined>;
  cancel(reason: unknown): Promise<void>;
}

/** Nothing is read, and no time runs out, before somebody asks. */
function boundedReader(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  times: BodyTimes,
  clock: Clock,
  onFault: (fault: SluiceError) => void,
): BoundedReader {
  const reader = source.getReader();
  const endsAt = clock.now() + times.whole;
  let size = 0;

  function refused(fault: SluiceError): SluiceError {
    onFault(fault);
    // Nobody waits for it: a client that has stopped sending may take its time with this as well.
    reader.cancel().catch(() => {});
    return fault;
  }

  return {
    async read() {
      const read = await inTime(Math.min(times.idle, endsAt - clock.now()), reader.read());
      if (read === undefined) throw refused(tooSlow(times));
      if (read.done) return undefined;
      size += read.value.byteLength;
      if (size > maxBytes) throw refused(tooLarge(maxBytes));
      return read.value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

/** `length` bytes as text. Most come in one piece, behind which nobody need look for another. */
async function wholeText(reader: BoundedReader, length: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let left = length; left > 0;) {
    const bytes = await reader.read();
    if (bytes === undefined) break;
    left -= bytes.byteLength;
    text += decoder.decode(bytes, { stream: left > 0 });
  }
  return text;
}

function streamOf(reader: BoundedReader): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await reader.read();
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before somebody asks for it.
    { highWaterMark: 0 },
  );
}

/** What `work` gives; undefined when it takes longer. */
async function inTime<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maxBytes: number): SluiceError {
  return new SluiceError("body-too-large", `The body is over ${maxBytes} bytes.`);
}

function tooSlow({ idle, whole }: BodyTimes): SluiceError {
  const [pause, all] = [idle / 1_000, whole / 1_000];
  return new SluiceError("body-too-slow", `The body paused for ${pause} s, or took longer than ${all} s altogether.`);
}
