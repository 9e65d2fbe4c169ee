import type { Clock } from "../cascade/deadline.ts";
import { refusal } from "../egress/address-guard.ts";
import type { Door } from "../egress/door.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { retryAfterMs } from "../providers/replies.ts";
import { verdictOf } from "./schedule.ts";
import { isWebhookSecret, signWebhook } from "./signature.ts";

/** What is sent: the same id and body at every try. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
}

/** Where it goes. Each secret signs, so that a receiver that knows any of them can verify. */
export interface Endpoint {
  readonly url: string;
  readonly secrets: readonly string[];
}

/**
 * How one try ended. `refused` is ours: the guard does not let the URL out. `detail` holds neither the URL nor anything
 * that the receiver wrote.
 */
export interface DeliveryResult {
  readonly status: "delivered" | "retry" | "gone" | "refused";
  /** Missing when no complete answer came. */
  readonly httpStatus?: number;
  readonly detail: string;
  readonly retryAfterMs?: number;
}

const TIME_LIMIT_MS = 15_000;
/** Answers are thrown away; this only bounds what is read of one. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Why a caller's URL cannot receive webhooks, or undefined. Always https, whatever else the deployment lets out. */
export function endpointRefusal(url: string): string | undefined {
  return URL.canParse(url) ? refusal(new URL(url), { allowHttp: false }) : "not a URL";
}

/** One POST of a signed event (standardwebhooks.com v1). Never throws for what the receiver or the network does. */
export async function deliver(
  door: Door,
  endpoint: Endpoint,
  delivery: Delivery,
  clock: Clock,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const why = endpointRefusal(endpoint.url);
  if (why !== undefined) return { status: "refused", detail: why };
  // Whoever runs the deployment can mend this, so the event is kept.
  if (endpoint.secrets.length === 0 || !endpoint.secrets.every(isWebhookSecret)) {
    return { status: "retry", detail: "there is no usable signing secret" };
  }
  const signed = await signWebhook(delivery.id, delivery.body, endpoint.secrets, clock.now());
  try {
    const reply = await door.send(
      {
        url: endpoint.url,
        method: "POST",
        headers: { "content-type": "application/json", ...signed },
        body: delivery.body,
      },
      { timeLimitMs: TIME_LIMIT_MS, maxBytes: MAX_ANSWER_BYTES, signal },
    );
    return resultOf(reply);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { status: error.reason === "refused" ? "refused" : "retry", detail: error.message };
  }
}

function resultOf(reply: UpstreamReply): DeliveryResult {
  const status = verdictOf(reply.status);
  const wait = status === "retry" ? retryAfterMs(reply) : undefined;
  return {
    status,
    httpStatus: reply.status,
    detail: `the receiver answered ${reply.status}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}
