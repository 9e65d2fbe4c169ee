import { SluiceError } from "../errors.ts";

/**
 * Signatures of Standard Webhooks (standardwebhooks.com, v1): `v1,` and the base64 of HMAC-SHA-256 over
 * `id.timestamp.body`, with the secret's bytes after its prefix `whsec_`.
 */

export interface SignedHeaders {
  readonly "webhook-id": string;
  /** Epoch seconds. */
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/** Older or newer requests are refused, so that a recorded one cannot be played again later. */
const TOLERANCE_SECONDS = 300;

/**
 * One signature a secret: while a secret is being rotated the receiver finds the one that it knows. Throws
 * `misconfigured` for a secret of another form than `isWebhookSecret` asks for.
 */
export async function signWebhook(
  id: string,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<SignedHeaders> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = await Promise.all(secrets.map(async (secret) => `v1,${await mac(id, timestamp, body, secret)}`));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/**
 * Why a request is not what it says, or undefined when it is. Without secrets, as for a sender that nobody knows, the
 * reason is the same as for a wrong signature.
 */
export async function webhookFault(
  headers: Headers,
  body: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<string | undefined> {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signature = headers.get("webhook-signature");
  if (!id || !timestamp || !signature) return "one of webhook-id, webhook-timestamp and webhook-signature is missing";
  if (!/^\d{1,12}$/.test(timestamp)) return "webhook-timestamp is not a Unix time in seconds";
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return "webhook-timestamp is more than five minutes off";
  const data = encoder.encode(`${id}.${timestamp}.${body}`);
  const presented = signature.split(" ").flatMap((part) => (part.startsWith("v1,") ? [part.slice(3)] : []));
  for (const secret of secrets) {
    const key = await hmacKey(secret, "verify");
    for (const candidate of presented) {
      const bytes = bytesOf(candidate);
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, data))) return undefined;
    }
  }
  return "no signature is one of ours";
}

/** Whether a secret has the form `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(secret: string): boolean {
  return secretBytes(secret) !== undefined;
}

const PREFIX = "whsec_";
const encoder = new TextEncoder();

async function mac(id: string, timestamp: string, body: string, secret: string): Promise<string> {
  const key = await hmacKey(secret, "sign");
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${timestamp}.${body}`));
  return new Uint8Array(signature).toBase64();
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  return bytes !== undefined && bytes.byteLength >= 24 && bytes.byteLength <= 64 ? bytes : undefined;
}

function hmacKey(secret: string, usage: "sign" | "verify") {
  const bytes = secretBytes(secret);
  if (bytes === undefined) {
    throw new SluiceError("misconfigured", "A webhook secret is not `whsec_` and 24 to 64 bytes in base64.");
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}

/** Undefined for what is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return undefined;
  }
}
