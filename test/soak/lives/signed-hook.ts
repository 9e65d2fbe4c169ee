import { Webhook } from "standardwebhooks";
import type { Client } from "../client.ts";

/** Headers of a webhook to us, as its sender signs it at what the Worker takes for now. */
export function signedHook({ tenant, deployment }: Client, id: string, body: string): [string, string][] {
  const at = new Date(deployment.now());
  return [
    ["webhook-id", id],
    ["webhook-timestamp", String(Math.floor(at.getTime() / 1_000))],
    ["webhook-signature", new Webhook(tenant.hookSecret).sign(id, at, body)],
  ];
}
