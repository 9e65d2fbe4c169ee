import { type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: docs.searxng.org/dev/search_api.html. No keys. */
export function searxngCases(): FaultCase[] {
  const nothing = { query: "x", number_of_results: 0, results: [], answers: [], suggestions: [] };
  return [
    jsonCase("no-results", 200, "empty", { ...nothing, unresponsive_engines: [] }),
    jsonCase("engines-unresponsive", 200, "transient", {
      ...nothing,
      unresponsive_engines: [
        ["google", "Suspended: CAPTCHA"],
        ["brave", "too many requests"],
      ],
    }),
    htmlCase("json-not-enabled", 403, "auth", "Forbidden"),
    htmlCase("limiter", 429, "rate", "Too Many Requests"),
    htmlCase("web-page", 200, "malformed", "SearXNG"),
    htmlCase("internal", 500, "transient", "Internal Server Error"),
  ];
}
