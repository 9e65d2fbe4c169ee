import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: cloud.google.com/apis/design/errors, with the older `errors[].reason` of the Custom Search JSON API. */
export function googleCseCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("no-items", 200, "empty", {
      kind: "customsearch#search",
      searchInformation: { searchTime: 0.21, totalResults: "0" },
    }),
    jsonCase(
      "key-invalid",
      400,
      "auth",
      googleError(400, "API key not valid. Please pass a valid API key.", "badRequest", "INVALID_ARGUMENT", [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", metadata: { key } },
      ]),
    ),
    jsonCase(
      "invalid-argument",
      400,
      "bad-request",
      googleError(400, "Request contains an invalid argument.", "badRequest", "INVALID_ARGUMENT"),
    ),
    jsonCase(
      "no-access",
      403,
      "auth",
      googleError(
        403,
        "This project does not have the access to Custom Search JSON API.",
        "forbidden",
        "PERMISSION_DENIED",
      ),
      { permanent: true },
    ),
    jsonCase(
      "not-configured",
      403,
      "auth",
      googleError(403, `Access Not Configured for key ${key}.`, "accessNotConfigured", "PERMISSION_DENIED"),
      { permanent: true },
    ),
    jsonCase(
      "service-disabled",
      403,
      "auth",
      googleError(403, "Custom Search API has not been used in this project.", "forbidden", "PERMISSION_DENIED", [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "SERVICE_DISABLED" },
      ]),
      { permanent: true },
    ),
    jsonCase(
      "per-day",
      429,
      "quota",
      googleError(
        429,
        `Quota exceeded for quota metric 'Queries' and limit 'Queries per day' of service 'customsearch.googleapis.com' for consumer 'api_key:${key}'.`,
        "rateLimitExceeded",
        "RESOURCE_EXHAUSTED",
      ),
    ),
    jsonCase("daily-limit-403", 403, "quota", googleError(403, "Daily Limit Exceeded", "dailyLimitExceeded")),
    jsonCase(
      "per-minute",
      429,
      "rate",
      googleError(
        429,
        `Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'customsearch.googleapis.com' for consumer 'api_key:${key}'.`,
        "rateLimitExceeded",
        "RESOURCE_EXHAUSTED",
      ),
    ),
    jsonCase("user-rate-403", 403, "rate", googleError(403, "User Rate Limit Exceeded", "userRateLimitExceeded")),
    jsonCase(
      "shut-down",
      410,
      "auth",
      googleError(410, "Custom Search JSON API has been discontinued.", "gone", "NOT_FOUND"),
      { permanent: true },
    ),
    jsonCase("internal", 500, "transient", googleError(500, "Internal error encountered.", "backendError", "INTERNAL")),
    htmlCase("unavailable", 503, "transient", "Error 503 (Service Unavailable)"),
  ];
}

/** Google's error body. */
export function googleError(
  code: number,
  message: string,
  reason: string,
  status?: string,
  details?: readonly unknown[],
): unknown {
  return {
    error: {
      code,
      message,
      errors: [{ message, domain: "global", reason }],
      ...(status === undefined ? {} : { status }),
      ...(details === undefined ? {} : { details }),
    },
  };
}
