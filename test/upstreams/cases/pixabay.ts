import { type CaseFacts, type FaultCase, htmlCase, jsonCase, plainCase } from "./fault-case.ts";

/** Wire: pixabay.com/api/docs: errors are plain text. */
export function pixabayCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("no-hits", 200, "empty", { total: 0, totalHits: 0, hits: [] }),
    plainCase("key-invalid", 400, "auth", `${PIXABAY_KEY_ERROR} key=${key}`),
    plainCase("per-page-out-of-range", 400, "bad-request", '[ERROR 400] "per_page" is out of valid range.'),
    plainCase("query-too-long", 400, "bad-request", '[ERROR 400] "q" must not exceed 100 characters.'),
    plainCase("rate-limit", 429, "rate", `[ERROR 429] API rate limit exceeded for key=${key}`, {
      headers: { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "42" },
      retryAfterMs: 42_000,
    }),
    plainCase("internal", 500, "transient", `[ERROR 500] Something failed for /api/?key=${key}`),
    htmlCase("unavailable", 503, "transient", "503 Service Unavailable"),
    htmlCase("web-page", 200, "malformed", "Just a moment..."),
  ];
}

export const PIXABAY_KEY_ERROR = "[ERROR 400] Invalid or missing API key (https://pixabay.com/api/docs/).";
