import type { MiddlewareHandler } from "hono";
import type { Clock } from "../src/cascade/deadline.ts";
import { inTime } from "../src/cascade/within.ts";
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
  /** The same of 64 KiB at most whose length is announced: they come in one go, or something is wrong. */
  readonly small: number;
}

const BODY_TIMES: BodyTimes = { idle: 20_000, whole: 300_000, small: 30_000 };

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
    const onFault = (found: SluiceError) => (fault = found);
    if (length <= MAX_BODY_BYTES && maxBytes === MAX_BODY_BYTES) {
      const { raw } = c.req;
      let text: Promise<string> | undefined;
      // Where Hono looks first, and not before somebody asks for the body.
      const get = () => (text ??= smallText(raw, times.small, onFault));
      Object.defineProperty(c.req.bodyCache, "text", { enumerable: true, get });
    } else {
      const bounded = boundedBody(body, maxBytes, times, c.var.clock, onFault);
      c.req.raw = new Request(c.req.raw, { method: c.req.method, body: bounded });
    }
    await next();
    // Whoever read it may have taken its failure for a body that is no JSON.
    if (fault !== undefined) throw fault;
  };
}

/**
 * A small body, read by the platform in one go: what goes through our own hands costs a search up to 0.2 ms. HTTP itself
 * lets no more through than was announced.
 */
async function smallText(request: Request, ms: number, onFault: (fault: SluiceError) => void): Promise<string> {
  const text = await inTime(ms, request.text());
  if (text !== undefined) return text;
  const fault = new SluiceError("body-too-slow", `The body took longer than ${ms / 1_000} s.`);
  onFault(fault);
  throw fault;
}

/** The same bytes; errors with what `onFault` is told as well, and then reads no further. */
function boundedBody(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  times: BodyTimes,
  clock: Clock,
  onFault: (fault: SluiceError) => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const endsAt = clock.now() + times.whole;
  let size = 0;

  function refused(fault: SluiceError): SluiceError {
    onFault(fault);
    // Nobody waits for it: a client that has stopped sending may take its time with this as well.
    reader.cancel().catch(() => {});
    return fault;
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const read = await inTime(Math.min(times.idle, endsAt - clock.now()), reader.read());
        if (read === undefined) throw refused(tooSlow(times));
        if (read.done) return controller.close();
        size += read.value.byteLength;
        if (size > maxBytes) throw refused(tooLarge(maxBytes));
        controller.enqueue(read.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before somebody asks for it.
    { highWaterMark: 0 },
  );
}

function tooLarge(maxBytes: number): SluiceError {
  return new SluiceError("body-too-large", `The body is over ${maxBytes} bytes.`);
}

function tooSlow({ idle, whole }: BodyTimes): SluiceError {
  const [pause, all] = [idle / 1_000, whole / 1_000];
  return new SluiceError("body-too-slow", `The body paused for ${pause} s, or took longer than ${all} s altogether.`);
}
