import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

/** Wire: api.imgbb.com; what is wrong has a number of its own in the body. */
export function imgbbCases({ key }: CaseFacts): FaultCase[] {
  return [
    jsonCase("invalid-key", 400, "auth", imgbbError(100, `Invalid API v1 key. ${key}`.trim())),
    jsonCase("empty-source", 400, "bad-request", imgbbError(130, "Empty upload source.")),
    jsonCase("unreadable-source", 400, "bad-request", imgbbError(310, "Can't get target upload source info.")),
    jsonCase("content-policy", 400, "bad-request", imgbbError(403, "Disallowed content.")),
    jsonCase("rate-limit", 429, "rate", imgbbError(429, `Rate limit reached (key=${key}).`), {
      headers: { "retry-after": "30" },
      retryAfterMs: 30_000,
    }),
    jsonCase("no-address", 200, "malformed", { data: { id: "x" }, success: true, status: 200 }),
    jsonCase("no-success", 200, "malformed", { success: false, status: 200 }),
    jsonCase("internal", 500, "transient", imgbbError(500, `Internal error for key=${key}`)),
    htmlCase("web-page", 200, "malformed", "ImgBB"),
    htmlCase("unavailable", 503, "transient", "503 Service Unavailable"),
  ];
}

/** ImgBB's error body. */
export function imgbbError(code: number, message: string): unknown {
  return { status_code: 400, error: { message, code }, status_txt: "Bad Request" };
}
