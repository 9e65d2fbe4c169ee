import type { Clock } from "../cascade/deadline.ts";
import { Door, type DoorSettings, type SendOptions } from "../egress/door.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";

/**
 * A door for tools that run side by side: what one of them asks of an upstream, another gets without a second call. It
 * belongs to one request. A call that broke off is made again by the next who wants it.
 */
export class SharedDoor extends Door {
  readonly #send: (request: UpstreamRequest, options: SendOptions) => Promise<UpstreamReply>;
  readonly #replies = new Map<string, Promise<UpstreamReply>>();

  /** Calls go out through `door`, with whatever it counts. */
  constructor(door: Door, settings: DoorSettings, clock: Clock) {
    super(settings, clock);
    this.#send = (request, options) => door.send(request, options);
  }

  override send(request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply> {
    const { url, method = "GET", headers, body } = request;
    const key = JSON.stringify([method, url, headers, body]);
    const known = this.#replies.get(key);
    if (known !== undefined) return known;
    const reply = this.#send(request, options);
    this.#replies.set(key, reply);
    reply.catch(() => this.#replies.delete(key));
    return reply;
  }
}
