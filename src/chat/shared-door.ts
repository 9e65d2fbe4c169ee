import type { Clock } from "../cascade/deadline.ts";
import { Door, type DoorSettings, type SendOptions } from "../egress/door.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";

interface SharedCall {
  readonly reply: Promise<UpstreamReply>;
  readonly unwanted: AbortController;
  /** Those who wait for the reply. */
  waiting: number;
  answered: boolean;
}

/**
 * A door for tools that run side by side: what one of them asks of an upstream, another gets without a second call. It
 * belongs to one request. A call that broke off is made again by the next who wants it; one that some no longer want
 * goes on for the others.
 */
export class SharedDoor extends Door {
  readonly #send: (request: UpstreamRequest, options: SendOptions) => Promise<UpstreamReply>;
  readonly #calls = new Map<string, SharedCall>();

  /** Calls go out through `door`, with whatever it counts. */
  constructor(door: Door, settings: DoorSettings, clock: Clock) {
    super(settings, clock);
    this.#send = (request, options) => door.send(request, options);
  }

  override send(request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply> {
    const { url, method = "GET", headers, body } = request;
    const key = JSON.stringify([method, url, headers, body]);
    return waitFor(this.#calls.get(key) ?? this.#begin(key, request, options), options.signal);
  }

  #begin(key: string, request: UpstreamRequest, options: SendOptions): SharedCall {
    const unwanted = new AbortController();
    const reply = this.#send(request, { ...options, signal: unwanted.signal });
    const call: SharedCall = { reply, unwanted, waiting: 0, answered: false };
    const forget = () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key);
    };
    this.#calls.set(key, call);
    // Nobody joins a call that is being ended.
    unwanted.signal.addEventListener("abort", forget, { once: true });
    reply.then(() => (call.answered = true), forget);
    return call;
  }
}

/** The reply, for as long as `signal` wants it; the call ends when nobody is left who does. */
async function waitFor(call: SharedCall, signal: AbortSignal): Promise<UpstreamReply> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(new EgressError("timeout", "the request was ended"));
  call.waiting += 1;
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([call.reply, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    call.waiting -= 1;
    if (call.waiting === 0 && !call.answered) call.unwanted.abort();
  }
}
