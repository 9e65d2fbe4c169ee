import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** What an anonymous client reads who asks for a page of more than 20. */
export const OPENVERSE_PAGE_SIZE_ERROR = {
  detail: { page_size: ["Page size must be between 1 & 20 for unauthenticated requests."] },
};

/** Wire: api.openverse.org, an API of Django REST framework behind Cloudflare. */
export function openverseCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("no-results", 200, "empty", { result_count: 0, page_count: 0, page_size: 20, page: 1, results: [] }),
    jsonCase("license-unknown", 400, "bad-request", { detail: { license: ["License 'x' does not exist."] } }),
    jsonCase("page-size", 401, "bad-request", OPENVERSE_PAGE_SIZE_ERROR),
    jsonCase("token-invalid", 401, "auth", { detail: `Invalid token. ${key}`.trim() }),
    htmlCase("network-blocked", 403, "blocked", "Attention Required! | Cloudflare"),
    jsonCase(
      "throttled",
      429,
      "rate",
      { detail: "Request was throttled. Expected available in 38 seconds." },
      { retryAfterMs: 38_000 },
    ),
    jsonCase("internal", 500, "transient", { detail: "Internal server error" }),
    htmlCase("bad-gateway", 502, "transient", "502 Bad Gateway"),
    htmlCase("web-page", 200, "malformed", "Openverse"),
  ];
}
