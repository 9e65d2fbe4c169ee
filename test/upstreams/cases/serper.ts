import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: google.serper.dev; every error is `{message, statusCode}`. */
export function serperCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("no-organic", 200, "empty", { searchParameters: { q: "x" }, organic: [], credits: 1 }),
    jsonCase("unauthorized", 403, "auth", { message: "Unauthorized.", statusCode: 403, key }),
    jsonCase("no-credits", 400, "quota", { message: "Not enough credits", statusCode: 400, key }),
    jsonCase("missing-query", 400, "bad-request", { message: "Missing query parameter", statusCode: 400 }),
    jsonCase(
      "too-many-requests",
      429,
      "rate",
      { message: `Rate limit exceeded for ${key}`, statusCode: 429 },
      { headers: { "retry-after": "7" }, retryAfterMs: 7_000 },
    ),
    jsonCase("internal", 500, "transient", { message: `Internal server error (X-API-KEY: ${key})`, statusCode: 500 }),
    htmlCase("bad-gateway", 502, "transient", "502 Bad Gateway"),
  ];
}
