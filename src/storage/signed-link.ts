/**
 * Links that carry their own permission: `base64url(JSON) "." base64url(HMAC-SHA-256)`, meant to stand in a URL's path.
 */

export interface LinkGrant {
  readonly tenant: string;
  /** What the link opens: an R2 key, or one of `link-resources.ts`. */
  readonly resource: string;
  readonly actions: readonly LinkAction[];
  /** Epoch seconds. */
  readonly expires: number;
}

export type LinkAction = "read" | "promote" | "page" | "manual" | "archive";

export async function signLink(grant: LinkGrant, secret: string): Promise<string> {
  const payload = base64url(
    encoder.encode(JSON.stringify([grant.tenant, grant.resource, grant.actions, grant.expires])),
  );
  const signature = await crypto.subtle.sign("HMAC", await hmacKey(secret, ["sign"]), encoder.encode(payload));
  return `${payload}.${base64url(new Uint8Array(signature))}`;
}

/** The grant, or undefined when no secret signed it or it has expired. Comparison is constant-time in the platform. */
export async function verifyLink(
  token: string,
  secrets: readonly string[],
  nowMs: number,
): Promise<LinkGrant | undefined> {
  const [payload, signature, rest] = token.split(".");
  if (payload === undefined || signature === undefined || rest !== undefined) return undefined;
  const bytes = fromBase64url(signature);
  if (bytes === undefined) return undefined;
  for (const secret of secrets) {
    const key = await hmacKey(secret, ["verify"]);
    if (await crypto.subtle.verify("HMAC", key, bytes, encoder.encode(payload))) {
      const grant = grantOf(payload);
      return grant !== undefined && grant.expires * 1000 > nowMs ? grant : undefined;
    }
  }
  return undefined;
}

const encoder = new TextEncoder();

function grantOf(payload: string): LinkGrant | undefined {
  const bytes = fromBase64url(payload);
  if (bytes === undefined) return undefined;
  // Signed by us, so the shape is ours.
  const [tenant, resource, actions, expires] = JSON.parse(new TextDecoder().decode(bytes)) as [
    string,
    string,
    LinkAction[],
    number,
  ];
  return { tenant, resource, actions, expires };
}

function hmacKey(secret: string, usages: ("sign" | "verify")[]): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, usages);
}

function base64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return undefined;
  }
}
