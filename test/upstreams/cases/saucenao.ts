import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

const DAY_MS = 86_400_000;
const HALF_MINUTE_MS = 30_000;

/** Wire: saucenao.com/user.php?page=search-api; the header's `status` counts beside the one of HTTP. */
export function saucenaoCases({ key }: CaseFacts): FaultCase[] {
  const daily = { status: -2, message: `Daily Search Limit Exceeded. (api_key=${key})` };
  const short = { status: -2, message: `Search Rate Too High. (api_key=${key})` };
  return [
    jsonCase("no-results", 200, "empty", { header: saucenaoHeader({ results_returned: 0 }), results: [] }),
    jsonCase("null-results", 200, "empty", { header: saucenaoHeader({ results_returned: 0 }), results: null }),
    jsonCase("anonymous", 200, "auth", { header: saucenaoHeader({ user_id: "0", account_type: "0" }), results: [] }),
    jsonCase("indexes-down", 200, "transient", { header: saucenaoHeader({ status: 1 }), results: null }),
    jsonCase("bad-image", 200, "bad-request", {
      header: saucenaoHeader({ status: -4, message: "Specified file no longer exists on the remote server!" }),
    }),
    jsonCase(
      "short-used-up-200",
      200,
      "rate",
      { header: saucenaoHeader({ short_remaining: -1 }), results: [] },
      {
        retryAfterMs: HALF_MINUTE_MS,
      },
    ),
    jsonCase(
      "long-used-up-200",
      200,
      "quota",
      { header: saucenaoHeader({ long_remaining: -1 }), results: [] },
      {
        retryAfterMs: DAY_MS,
      },
    ),
    jsonCase("invalid-key", 403, "auth", { header: { status: -1, message: `The key ${key} is not valid.` } }),
    jsonCase("too-large", 413, "bad-request", { header: { status: -1, message: "The file is too large." } }),
    jsonCase("daily-limit", 429, "quota", { header: daily }, { retryAfterMs: DAY_MS }),
    jsonCase("short-limit", 429, "rate", { header: short }, { retryAfterMs: HALF_MINUTE_MS }),
    htmlCase("web-page", 200, "malformed", "SauceNAO Image Search"),
    htmlCase("unavailable", 503, "transient", "503 Service Unavailable"),
  ];
}

/** The header of an answer; limits come as text, what is left of them as numbers. */
export function saucenaoHeader(facts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    user_id: "48213",
    account_type: "2",
    short_limit: "17",
    long_limit: "5000",
    short_remaining: 16,
    long_remaining: 4_912,
    status: 0,
    results_requested: 8,
    results_returned: 4,
    minimum_similarity: 55.1,
    ...facts,
  };
}
