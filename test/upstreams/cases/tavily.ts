import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: api.tavily.com; errors are `{detail: {error}}`, sometimes with `detail` as a string or a list. */
export function tavilyCases({ key }: CaseFacts): FaultCase[] {
  const detail = (error: string) => ({ detail: { error } });
  return [
    jsonCase("no-results", 200, "empty", { query: "x", answer: null, images: [], results: [], response_time: "0.4" }),
    jsonCase("invalid-country", 400, "bad-request", detail("Invalid country 'vn'. See the documentation.")),
    jsonCase("invalid-topic", 400, "bad-request", { detail: "Unsupported topic" }),
    jsonCase("unauthorized", 401, "auth", detail(`Unauthorized: missing or invalid API key. ${key}`)),
    jsonCase("forbidden", 403, "auth", detail("This key may not search")),
    jsonCase("unprocessable", 422, "bad-request", { detail: [{ loc: ["body", "max_results"], msg: "must be <= 20" }] }),
    jsonCase("too-many-requests", 429, "rate", detail("Your request has been blocked due to excessive requests."), {
      headers: { "retry-after": "11" },
      retryAfterMs: 11_000,
    }),
    jsonCase(
      "keyless-window",
      429,
      "rate",
      { error: { code: "keyless_limit", message: "Slow down", window: "minute", retry_after_seconds: 13 } },
      { retryAfterMs: 13_000 },
    ),
    jsonCase("plan-used-up", 432, "quota", detail("This request exceeds this API key's set usage limit.")),
    jsonCase("pay-as-you-go-cap", 433, "quota", detail("This request exceeds the pay-as-you-go limit.")),
    jsonCase("internal", 500, "transient", detail(`Internal server error for Bearer ${key}`)),
    htmlCase("bad-gateway", 502, "transient", "502 Bad Gateway"),
    jsonCase("detail-with-200", 200, "malformed", { detail: { error: `Broken for ${key}` }, results: [] }),
    jsonCase("detail-text-with-200", 200, "malformed", { detail: "Something broke" }),
    jsonCase("no-result-list", 200, "malformed", { query: "x", answer: null }),
    jsonCase("results-of-another-type", 200, "malformed", { query: "x", results: {} }),
    htmlCase("web-page", 200, "malformed", "Just a moment..."),
  ];
}
