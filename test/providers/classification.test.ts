import { describe, expect, it } from "vitest";
import type { Failed } from "../../src/cascade/outcome.ts";
import type { UpstreamReply } from "../../src/egress/wire.ts";
import { PROVIDERS } from "../../src/providers/registry.ts";
import { classOf, type Expected, outcomeOf, type Row, table } from "./classification-table.ts";
import { RECEIVED_AT, reply } from "./replies.ts";

const page = "<!DOCTYPE html><html><body>Access denied</body></html>";
const seconds = (count: number): Partial<Failed> => ({ retryAfterMs: count * 1000 });

function waitOf(retryAfter: string): number | undefined {
  const outcome = outcomeOf("serper", reply(429, "", { "retry-after": retryAfter }));
  return outcome.kind === "failed" ? outcome.retryAfterMs : undefined;
}

const success = { search_metadata: { status: "Success" } };

table("serpapi", [
  ["results", reply(200, { ...success, organic_results: [{ title: "T", link: "https://e.test/" }] }), "hit"],
  [
    "an error that says that nothing was found",
    reply(200, { ...success, error: "Google hasn't returned any results for this query." }),
    "empty",
  ],
  ["no list", reply(200, success), "empty"],
  ["an empty list", reply(200, { ...success, organic_results: [] }), "empty"],
  ["status Error with 200", reply(200, { search_metadata: { status: "Error" }, error: "x" }), "transient"],
  ["status Error with 503", reply(503, { search_metadata: { status: "Error" }, error: "x" }), "transient"],
  ["a search that is still queued", reply(200, { search_metadata: { status: "Queued" } }), "transient"],
  ["an error of another kind", reply(200, { ...success, error: "Something else went wrong." }), "transient"],
  ["no word on success", reply(200, {}), "malformed"],
  ["a missing parameter", reply(400, { error: "Missing query `q` parameter." }), "bad-request"],
  ["a wrong key", reply(401, { error: "Invalid API key." }), "auth"],
  ["a deleted account", reply(403, { error: "The account was deleted." }), "auth"],
  ["an unknown archive", reply(404, { error: "x" }), "bad-request"],
  ["an expired archive", reply(410, { error: "x" }), "bad-request"],
  ["a used-up plan", reply(429, { error: "Your account has run out of searches." }), "quota"],
  ["a used-up plan in other words", reply(429, { error: "Your searches for the month are run out." }), "quota"],
  ["the hourly throughput", reply(429, { error: "You are exceeding your hourly throughput limit." }), "rate"],
  ["an internal error", reply(500, "oops"), "transient"],
  ["unavailability", reply(503, "oops"), "transient"],
  ["a list of another type", reply(200, { ...success, organic_results: {} }), "malformed"],
  ["a web page", reply(200, page), "malformed"],
]);

const google = (code: number, message: string, reason: string): UpstreamReply =>
  reply(code, { error: { code, message, errors: [{ reason, domain: "global" }] } });

table("google-cse", [
  ["results", reply(200, { items: [{ title: "T", link: "https://e.test/" }] }), "hit"],
  ["no items", reply(200, { searchInformation: { totalResults: "0" } }), "empty"],
  [
    "a wrong key",
    reply(400, { error: { code: 400, message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } }),
    "auth",
  ],
  ["a wrong parameter", google(400, "Request contains an invalid argument.", "badRequest"), "bad-request"],
  [
    "a project that is let in no more",
    google(403, "This project does not have the access to Custom Search JSON API.", "forbidden"),
    "auth",
    { permanent: true },
  ],
  [
    "a project without the API",
    google(403, "Access Not Configured.", "accessNotConfigured"),
    "auth",
    { permanent: true },
  ],
  [
    "a disabled service",
    reply(403, { error: { code: 403, details: [{ reason: "SERVICE_DISABLED" }] } }),
    "auth",
    { permanent: true },
  ],
  // 08:00 UTC is midnight in California in November.
  [
    "the day's limit, old wording",
    google(403, "Daily Limit Exceeded", "dailyLimitExceeded"),
    "quota",
    seconds(24 * 3600),
  ],
  ["the user's rate", google(403, "User Rate Limit Exceeded", "userRateLimitExceeded"), "rate"],
  ["another 403", google(403, "The caller does not have permission", "forbidden"), "auth"],
  [
    "the day's limit",
    google(429, "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'", "rateLimitExceeded"),
    "quota",
    seconds(24 * 3600),
  ],
  [
    "the minute's limit",
    google(429, "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'", "rateLimitExceeded"),
    "rate",
  ],
  ["the end of the product", reply(410, { error: { code: 410 } }), "auth", { permanent: true }],
  ["an internal error", reply(500, page), "transient"],
  ["a list of another type", reply(200, { items: "none" }), "malformed"],
]);

table("serper", [
  ["results", reply(200, { organic: [{ title: "T", link: "https://e.test/" }] }), "hit"],
  ["an over-constrained query", reply(200, { organic: [], credits: 1 }), "empty"],
  ["a null list", reply(200, { organic: null }), "empty"],
  ["a wrong key", reply(403, { message: "Unauthorized.", statusCode: 403 }), "auth"],
  ["no credits", reply(400, { message: "Not enough credits", statusCode: 400 }), "quota"],
  ["a wrong parameter", reply(400, { message: "Missing query", statusCode: 400 }), "bad-request"],
  ["too many requests", reply(429, { message: "Too many requests" }, { "retry-after": "7" }), "rate", seconds(7)],
  ["an internal error", reply(502, page), "transient"],
  ["no list where one is always sent", reply(200, { message: "ok" }), "malformed"],
]);

const braveError = (code: string, meta: unknown = {}): unknown => ({
  type: "ErrorResponse",
  error: { id: "1", code, detail: "x", status: 422, meta },
  time: 1,
});
const limits = (remaining: string): Record<string, string> => ({
  "x-ratelimit-remaining": remaining,
  "x-ratelimit-reset": "1, 86400",
});

table("brave", [
  ["results", reply(200, { web: { results: [{ title: "T", url: "https://e.test/" }] } }), "hit"],
  ["no web part", reply(200, { type: "search", query: { original: "x" } }), "empty"],
  ["a wrong token", reply(422, braveError("SUBSCRIPTION_TOKEN_INVALID")), "auth"],
  [
    "a missing token",
    reply(422, braveError("VALIDATION", { errors: [{ loc: ["header", "x-subscription-token"] }] })),
    "auth",
  ],
  [
    "a country that it does not know",
    reply(422, braveError("VALIDATION", { errors: [{ loc: ["query", "country"] }] })),
    "bad-request",
  ],
  ["a used-up month", reply(429, braveError("RATE_LIMITED"), limits("0, 0")), "quota", seconds(86_400)],
  ["a used-up second", reply(429, braveError("RATE_LIMITED"), limits("0, 9000")), "rate", seconds(1)],
  ["a limit without headers", reply(429, braveError("RATE_LIMITED")), "rate"],
  ["a plan without this search", reply(403, braveError("OPTION_NOT_IN_PLAN")), "auth"],
  ["an endpoint outside the plan", reply(404, braveError("RESOURCE_NOT_FOUND")), "auth"],
  ["an internal error", reply(500, "oops"), "transient"],
  ["a web part of another type", reply(200, { web: "x" }), "malformed"],
  ["a list of another type", reply(200, { web: { results: {} } }), "malformed"],
]);

table("searxng", [
  ["results", reply(200, { results: [{ title: "T", url: "https://e.test/" }] }), "hit"],
  [
    "results although an engine failed",
    reply(200, { results: [{ url: "https://e.test/" }], unresponsive_engines: [["bing", "timeout"]] }),
    "hit",
  ],
  ["nothing", reply(200, { results: [], unresponsive_engines: [] }), "empty"],
  [
    "nothing since the engines are stuck",
    reply(200, { results: [], unresponsive_engines: [["google", "CAPTCHA"]] }),
    "transient",
  ],
  [
    "JSON switched off",
    reply(403, page),
    "auth",
    { detail: "SearXNG there does not allow format=json: enable it in settings.yml" },
  ],
  ["its limiter", reply(429, page), "rate"],
  ["a web page", reply(200, page), "malformed"],
  ["an internal error", reply(500, page), "transient"],
  ["no list where one is always sent", reply(200, {}), "malformed"],
]);

const mediaWiki = (code: string): UpstreamReply =>
  reply(200, { error: { code, info: "x" } }, { "mediawiki-api-error": code });
const mediaWikiRows: readonly Row[] = [
  ["no query", reply(200, { batchcomplete: true }), "empty"],
  ["a rate limit with 200", mediaWiki("ratelimited"), "rate"],
  ["replication lag", reply(200, { error: { code: "maxlag" } }, { "retry-after": "5" }), "transient", seconds(5)],
  ["a read-only database", mediaWiki("readonly"), "transient"],
  ["an internal error with 200", mediaWiki("internal_api_error_DBQueryError"), "transient"],
  ["a bad value", mediaWiki("badvalue"), "bad-request"],
  ["a missing parameter", mediaWiki("missingparam"), "bad-request"],
  ["an error that only the header names", reply(200, {}, { "mediawiki-api-error": "ratelimited" }), "rate"],
  ["a missing contact", reply(403, "Please set a user-agent and respect our robot policy"), "blocked"],
  ["too many requests", reply(429, page, { "retry-after": "Fri, 20 Nov 2026 08:00:30 GMT" }), "rate", seconds(30)],
  ["a web page", reply(200, page), "malformed"],
  ["an internal error", reply(503, page), "transient"],
  ["a query of another type", reply(200, { query: 7 }), "malformed"],
];

table("wikipedia", [
  ["results", reply(200, { query: { search: [{ title: "T" }] } }), "hit"],
  ["an empty list", reply(200, { query: { search: [], searchinfo: { totalhits: 0 } } }), "empty"],
  ["a list of another type", reply(200, { query: { search: {} } }), "malformed"],
  ...mediaWikiRows,
]);

table("wikimedia", [["pages of another type", reply(200, { query: { pages: "x" } }), "malformed"], ...mediaWikiRows]);

const inSeconds = (count: number): string => String(RECEIVED_AT / 1000 + count);

table("pexels", [
  ["nothing", reply(200, { photos: [], total_results: 0 }), "empty"],
  ["a wrong key", reply(401, { error: "Unauthorized" }), "auth"],
  ["a missing User-Agent", reply(403, page), "blocked"],
  [
    "a used-up month",
    reply(429, "", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(864_000) }),
    "quota",
    seconds(864_000),
  ],
  [
    "a used-up hour",
    reply(429, "", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(1_200) }),
    "rate",
    seconds(1_200),
  ],
  ["a limit that says how long", reply(429, "", { "retry-after": "60" }), "rate", seconds(60)],
  ["a wrong parameter", reply(400, { error: "x" }), "bad-request"],
  ["an internal error", reply(500, page), "transient"],
  ["a list of another type", reply(200, { photos: {} }), "malformed"],
  ["no list where one is always sent", reply(200, { code: "x" }), "malformed"],
]);

table("pixabay", [
  ["nothing", reply(200, { total: 0, totalHits: 0, hits: [] }), "empty"],
  ["a wrong key", reply(400, "[ERROR 400] Invalid or missing API key (https://pixabay.com/api/docs/)."), "auth"],
  ["a page size out of range", reply(400, '[ERROR 400] "per_page" is out of valid range.'), "bad-request"],
  ["a long query", reply(400, '[ERROR 400] "q" must not exceed 100 characters.'), "bad-request"],
  [
    "too many requests",
    reply(429, "[ERROR 429] API rate limit exceeded", { "x-ratelimit-reset": "42" }),
    "rate",
    seconds(42),
  ],
  ["an internal error", reply(500, page), "transient"],
  ["plain text where JSON is due", reply(200, "[ERROR] x"), "malformed"],
  ["a list of another type", reply(200, { hits: 3 }), "malformed"],
]);

table("openverse", [
  ["nothing", reply(200, { result_count: 0, results: [] }), "empty"],
  ["a wrong parameter", reply(400, { detail: { license: ["x"] } }), "bad-request"],
  [
    "a page that is too large for anonymous clients",
    reply(401, { detail: { page_size: ["must be 20 at most"] } }),
    "bad-request",
  ],
  [
    "the same in words",
    reply(401, { detail: "Page size must be between 1 & 20 for unauthenticated requests." }),
    "bad-request",
  ],
  ["a wrong token", reply(401, { detail: "Invalid token." }), "auth"],
  ["a blocked network", reply(403, page), "blocked"],
  ["another 403", reply(403, { detail: "Forbidden" }), "auth"],
  [
    "throttling",
    reply(429, { detail: "Request was throttled. Expected available in 38 seconds." }),
    "rate",
    seconds(38),
  ],
  ["an internal error", reply(502, page), "transient"],
  ["a web page", reply(200, page), "malformed"],
  ["a list of another type", reply(200, { results: {} }), "malformed"],
]);

describe("what no table names", () => {
  const every = PROVIDERS.map(({ id }) => id);

  it.each(every)("%s: payment, time-outs, redirects, other refusals and broken JSON", (id) => {
    const classFor = (status: number, body: unknown = ""): Expected => classOf(outcomeOf(id, reply(status, body)));
    expect(classFor(402)).toBe("quota");
    expect(classFor(408)).toBe("transient");
    expect(classFor(302)).toBe("malformed");
    expect(classFor(418)).toBe("bad-request");
    expect(classFor(504)).toBe("transient");
    expect(classFor(200, '{"cut": [')).toBe("malformed");
    expect(classFor(200, "[]")).toBe("malformed");
    expect(classFor(204)).toBe("malformed");
  });

  it.each(every)("%s: carries the status and never a word from upstream", (id) => {
    const outcome = outcomeOf(id, reply(429, { error: "leak-me https://x.test/?api_key=abc" }, { "retry-after": "3" }));
    expect(outcome).toMatchObject({ kind: "failed", status: 429 });
    expect(JSON.stringify(outcome)).not.toMatch(/leak-me|x\.test|abc/);
  });

  it("reads Retry-After in seconds and as a date, and no further than makes sense", () => {
    expect(waitOf("120")).toBe(120_000);
    expect(waitOf("Fri, 20 Nov 2026 08:02:00 GMT")).toBe(120_000);
    expect(waitOf("Fri, 20 Nov 2026 07:00:00 GMT")).toBe(0);
    expect(waitOf("soon")).toBeUndefined();
    expect(waitOf("-5")).toBeUndefined();
    expect(waitOf("99999999999")).toBe(32 * 24 * 3_600_000);
  });
});
