import { createMiddleware } from "hono/factory";
import type { ApiKey, Config, Scope } from "../src/config.ts";
import { SluiceError } from "../src/errors.ts";
import type { AppEnv, Caller } from "./context.ts";
import { withinLimits } from "./rate-limit.ts";

/** Lets a request through that has a key, whatever its scopes, and stays within its limits. */
export const requireKey = createMiddleware<AppEnv>(async (c, next) => {
  c.set("caller", await identify(c.req.header("authorization"), c.req.query("key"), c.var.config));
  await withinLimits(c, next);
});

/**
 * Lets a request through whose key has all `scopes` and stays within its limits; the key comes as Bearer, as Basic's password
 * or user, or as `?key=`.
 */
export function requireScope(...scopes: readonly Scope[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = await identify(c.req.header("authorization"), c.req.query("key"), c.var.config);
    const lacking = scopes.find((scope) => !caller.scopes.includes(scope));
    if (lacking !== undefined) throw new SluiceError("forbidden", `The key lacks the scope \`${lacking}\`.`);
    c.set("caller", caller);
    await withinLimits(c, next);
  });
}

const ALL_SCOPES: readonly Scope[] = ["search", "images", "batches", "admin"];

async function identify(
  authorization: string | undefined,
  queryKey: string | undefined,
  config: Config,
): Promise<Caller> {
  const candidates = presentedKeys(authorization, queryKey);
  for (const key of candidates) {
    const match = await matching(key, config.apiKeys);
    if (match !== undefined) return match;
  }
  if (candidates.length > 0 && config.apiKeys.length > 0) throw unauthorized("The key is not known here.");
  if (config.localTenant !== undefined) {
    return { tenant: config.localTenant, scopes: ALL_SCOPES, key: "", limits: {} };
  }
  if (config.apiKeys.length === 0) throw unauthorized("This deployment has no keys: its setting API_KEYS is missing.");
  throw unauthorized("The request has no key.");
}

function presentedKeys(authorization: string | undefined, queryKey: string | undefined): string[] {
  const [scheme, value] = authorization?.split(/\s+/, 2) ?? [];
  const keys = queryKey ? [queryKey] : [];
  if (value === undefined) return keys;
  if (scheme?.toLowerCase() === "bearer") keys.push(value);
  // `https://key@host` gives the key as user, `https://any:key@host` as password.
  if (scheme?.toLowerCase() === "basic") keys.push(...basicParts(value));
  return keys;
}

function basicParts(value: string): string[] {
  try {
    const decoded = new TextDecoder().decode(Uint8Array.fromBase64(value));
    const colon = decoded.indexOf(":");
    return [decoded.slice(colon + 1), decoded.slice(0, Math.max(0, colon))].filter((part) => part !== "");
  } catch {
    return [];
  }
}

/** Compares with every configured key in constant time, so that timing tells nothing of any of them. */
async function matching(key: string, apiKeys: readonly ApiKey[]): Promise<Caller | undefined> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  let found: ApiKey | undefined;
  for (const apiKey of apiKeys) {
    if (crypto.subtle.timingSafeEqual(digest, Uint8Array.fromHex(apiKey.sha256))) found = apiKey;
  }
  return found && { tenant: found.tenant, scopes: found.scopes, key: found.sha256, limits: found.limits };
}

function unauthorized(detail: string): SluiceError {
  return new SluiceError("unauthorized", detail);
}
