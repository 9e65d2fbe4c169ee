import { type CaseFacts, type FaultCase, htmlCase, jsonCase, plainCase } from "./fault-case.ts";

const RESET_SECONDS = 45;

/** What clients without a User-Agent read. */
export const GITHUB_AGENT_REFUSAL =
  "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\n";

/** Wire: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api, and the errors of its search. */
export function githubCases({ key, nowSeconds }: CaseFacts): FaultCase[] {
  const used = githubLimits(30, 0, nowSeconds + RESET_SECONDS);
  const limited = {
    message: `API rate limit exceeded for user ID 1. (${key})`,
    documentation_url: "https://docs.github.com",
  };
  const waits = { headers: used, retryAfterMs: RESET_SECONDS * 1000 };
  return [
    jsonCase("no-repositories", 200, "empty", { total_count: 0, incomplete_results: false, items: [] }),
    jsonCase("timed-out", 200, "transient", { total_count: 0, incomplete_results: true, items: [] }),
    jsonCase("no-list", 200, "malformed", { total_count: 0 }),
    jsonCase("bad-credentials", 401, "auth", { message: `Bad credentials ${key}`, status: "401" }),
    jsonCase("not-accessible", 403, "auth", { message: "Resource not accessible by personal access token" }),
    plainCase("no-user-agent", 403, "blocked", GITHUB_AGENT_REFUSAL),
    jsonCase("primary-limit-403", 403, "rate", limited, waits),
    jsonCase("primary-limit-429", 429, "rate", limited, waits),
    jsonCase(
      "secondary-limit",
      403,
      "rate",
      { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." },
      { headers: { "retry-after": "60" }, retryAfterMs: 60_000 },
    ),
    jsonCase("validation-failed", 422, "bad-request", {
      message: "Validation Failed",
      errors: [{ resource: "Search", field: "q", code: "invalid" }],
    }),
    jsonCase("internal", 500, "transient", { message: `Server Error (${key})` }),
    htmlCase("unavailable", 503, "transient", "Unicorn!"),
    htmlCase("web-page", 200, "malformed", "GitHub"),
  ];
}

export function githubLimits(limit: number, remaining: number, resetAt: number): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetAt),
    "x-ratelimit-resource": "search",
  };
}
