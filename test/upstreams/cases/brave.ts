import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: api-dashboard.search.brave.com/documentation. A wrong token is 422, as is every wrong parameter. */
export function braveCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("no-web", 200, "empty", { type: "search", query: { original: "x", more_results_available: false } }),
    jsonCase(
      "token-invalid",
      422,
      "auth",
      braveError("SUBSCRIPTION_TOKEN_INVALID", 422, `The provided subscription token ${key} is invalid.`),
    ),
    jsonCase("token-missing", 422, "auth", braveValidation(["header", "x-subscription-token"], "Field required")),
    jsonCase("country-unknown", 422, "bad-request", braveValidation(["query", "country"], "Input should be a country")),
    jsonCase("count-too-large", 422, "bad-request", braveValidation(["query", "count"], "Input should be at most 20")),
    jsonCase("month-used-up", 429, "quota", limited(key), { headers: limits("0, 0"), retryAfterMs: 1_419_704_000 }),
    jsonCase("second-used-up", 429, "rate", limited(key), { headers: limits("0, 9031"), retryAfterMs: 1_000 }),
    jsonCase("not-in-plan", 403, "auth", braveError("OPTION_NOT_IN_PLAN", 403, "The option is not in the plan.")),
    jsonCase("resource-not-in-plan", 404, "auth", braveError("RESOURCE_NOT_IN_PLAN", 404, "Not in the plan.")),
    jsonCase("internal", 500, "transient", braveError("INTERNAL", 500, `Internal error for ${key}`)),
    htmlCase("unavailable", 503, "transient", "503 Service Unavailable"),
  ];
}

/** Brave's error body. */
export function braveError(code: string, status: number, detail: string, meta: unknown = {}): unknown {
  return { type: "ErrorResponse", error: { id: "1b8d4b0e", code, detail, status, meta }, time: 1_790_000_000 };
}

/** The same for a parameter or header at fault; `location` is like `["query", "country"]`. */
export function braveValidation(location: readonly string[], message: string): unknown {
  return braveError("VALIDATION", 422, "Unable to validate request parameter(s)", {
    errors: [{ type: "value_error", loc: location, msg: message }],
  });
}

function limited(key: string): unknown {
  return braveError("RATE_LIMITED", 429, `Request rate limit exceeded for plan (token ${key}).`);
}

function limits(remaining: string): Record<string, string> {
  return {
    "x-ratelimit-limit": "1, 15000",
    "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": "1, 1419704",
  };
}
