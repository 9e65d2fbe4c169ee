import type { UpstreamReply } from "../../src/egress/wire.ts";
import type { LicensedImageQuery, SearchQuery } from "../../src/providers/types.ts";

/** When every reply of these tests arrived. */
export const RECEIVED_AT = Date.parse("2026-11-20T08:00:00Z");

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): UpstreamReply {
  return {
    status,
    headers: new Headers(headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
    receivedAt: RECEIVED_AT,
  };
}

export function search(facts: Partial<SearchQuery> = {}): SearchQuery {
  return { query: "old bridge", page: 1, num: 10, safe: false, ...facts };
}

export function pictures(facts: Partial<LicensedImageQuery> = {}): LicensedImageQuery {
  return { query: "old bridge", orientation: "any", strictNoAttribution: false, page: 1, num: 20, ...facts };
}
