import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

const TEN_DAYS = 864_000;
const TWENTY_MINUTES = 1_200;

/** Wire: pexels.com/api/documentation. The same 429 stands for the hour and for the month: the reset tells. */
export function pexelsCases({ key, nowSeconds }: CaseFacts): FaultCase[] {
  const usedUp = (resetIn: number): Record<string, string> => ({
    "x-ratelimit-limit": "20000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(nowSeconds + resetIn),
  });
  return [
    jsonCase("no-photos", 200, "empty", { page: 1, per_page: 15, photos: [], total_results: 0 }),
    jsonCase("unauthorized", 401, "auth", { status: 401, code: "Unauthorized", key }),
    htmlCase("no-user-agent", 403, "blocked", "Access denied"),
    jsonCase("month-used-up", 429, "quota", tooMany(key), {
      headers: usedUp(TEN_DAYS),
      retryAfterMs: TEN_DAYS * 1000,
    }),
    jsonCase("hour-used-up", 429, "rate", tooMany(key), {
      headers: usedUp(TWENTY_MINUTES),
      retryAfterMs: TWENTY_MINUTES * 1000,
    }),
    jsonCase("too-many-requests", 429, "rate", tooMany(key)),
    jsonCase("bad-parameter", 400, "bad-request", { status: 400, code: "Bad Request" }),
    jsonCase("internal", 500, "transient", { status: 500, code: `Internal Server Error (Authorization: ${key})` }),
    htmlCase("unavailable", 503, "transient", "503 Service Unavailable"),
  ];
}

function tooMany(key: string): unknown {
  return { status: 429, code: "Too Many Requests", key };
}
