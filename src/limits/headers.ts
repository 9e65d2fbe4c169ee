import type { RateLimit, Standing } from "./gcra.ts";

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in
 * `w` seconds; `r` requests are left, and in `t` seconds there is one more. Seconds are rounded up, so that whoever
 * waits for them is not too early.
 */
export function rateLimitHeaders(limit: RateLimit, { remaining, nextMs }: Standing): Readonly<Record<string, string>> {
  const windowSeconds = Math.max(1, seconds(limit.burst * limit.intervalMs));
  const next = nextMs > 0 ? `;t=${seconds(nextMs)}` : "";
  return {
    "ratelimit-policy": `"default";q=${limit.burst};w=${windowSeconds}`,
    ratelimit: `"default";r=${remaining}${next}`,
  };
}

/** `Retry-After` in seconds (RFC 9110, 10.2.3), at least 1. */
export function retryAfter(ms: number): string {
  return String(Math.max(1, seconds(ms)));
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
