import type { Context } from "hono";
import { SluiceError } from "../src/errors.ts";
import { webhookFault } from "../src/webhooks/signature.ts";
import type { AppEnv } from "./context.ts";

/**
 * The raw body of an inbound webhook, once one of the tenant's secrets has verified it (standardwebhooks.com v1); its
 * `webhook-id` can be trusted then. Throws `unauthorized` for everything else, in the same words whether or not the
 * tenant exists. Touches no state.
 */
export async function verifyHook(c: Context<AppEnv>, tenant: string): Promise<string> {
  const { webhooks } = c.var.config;
  const secrets = webhooks[tenant]?.secrets ?? [];
  const body = await c.req.text();
  const fault = await webhookFault(c.req.raw.headers, body, secrets, c.var.clock.now());
  if (fault !== undefined) throw new SluiceError("unauthorized", `The webhook is not accepted: ${fault}.`);
  return body;
}
