import type { Clock } from "../cascade/deadline.ts";
import { Door, type DoorSettings, type SendOptions } from "../egress/door.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";

/** A door that asks before every call to a provider. Downloads of pictures are no provider calls and pass. */
export class MeteredDoor extends Door {
  readonly #spend: () => string | undefined;

  /** `spend` counts one call, or says why it must not be made. */
  constructor(settings: DoorSettings, clock: Clock, spend: () => string | undefined) {
    super(settings, clock);
    this.#spend = spend;
  }

  /** Throws `over-budget` when the budget is used up. */
  override async send(request: UpstreamRequest, options: SendOptions): Promise<UpstreamReply> {
    const refusal = this.#spend();
    if (refusal !== undefined) throw new EgressError("over-budget", refusal);
    return super.send(request, options);
  }
}
