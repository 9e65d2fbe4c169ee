import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: platform.openai.com/docs/guides/error-codes; every error is `{error: {message, type, code}}`. */
export function chatCases({ key }: CaseFacts): FaultCase[] {
  const error = (type: string, code: string | null) => ({
    error: { message: `Refused for ${key}`, type, param: null, code },
  });
  return [
    jsonCase("invalid-key", 401, "auth", error("invalid_request_error", "invalid_api_key")),
    jsonCase("insufficient-quota", 429, "quota", error("insufficient_quota", "insufficient_quota")),
    jsonCase("rate-limit", 429, "rate", error("requests", "rate_limit_exceeded")),
    jsonCase("unknown-model", 404, "bad-request", error("invalid_request_error", "model_not_found")),
    jsonCase("overloaded", 503, "transient", error("server_error", null)),
    htmlCase("bad-gateway", 502, "transient", "502 Bad Gateway"),
    htmlCase("wall", 200, "malformed", "Just a moment..."),
  ];
}
