import { type FaultCase, htmlCase, jsonCase, plainCase } from "./fault-case.ts";

/** What a client without a contact in its User-Agent reads; wikitech.wikimedia.org/wiki/Robot_policy. */
export const USER_AGENT_REFUSAL = "Please set a user-agent and respect our robot policy https://w.wiki/4wJS.\n";

/** Wire: mediawiki.org/wiki/API:Errors_and_warnings: most errors come with status 200 and a header. No keys. */
export function mediawikiCases(): FaultCase[] {
  return [
    jsonCase("no-query", 200, "empty", { batchcomplete: true }),
    mediawikiError("ratelimited", "rate"),
    mediawikiError("maxlag", "transient", { "retry-after": "5", "x-database-lag": "7" }, 5_000),
    mediawikiError("readonly", "transient"),
    mediawikiError("internal_api_error_DBQueryError", "transient"),
    mediawikiError("badvalue", "bad-request"),
    mediawikiError("missingparam", "bad-request"),
    plainCase("no-contact", 403, "blocked", USER_AGENT_REFUSAL),
    htmlCase("too-many-requests", 429, "rate", "Too many requests", {
      headers: { "retry-after": "11" },
      retryAfterMs: 11_000,
    }),
    htmlCase("web-page", 200, "malformed", "Wikimedia Error"),
    htmlCase("unavailable", 503, "transient", "Our servers are currently under maintenance"),
  ];
}

/** Wikipedia's `list=search` answers a search without results with an empty list. */
export function wikipediaCases(): FaultCase[] {
  return [
    jsonCase("no-articles", 200, "empty", {
      batchcomplete: true,
      query: { searchinfo: { totalhits: 0 }, search: [] },
    }),
    ...mediawikiCases(),
  ];
}

function mediawikiError(
  code: string,
  expected: FaultCase["expected"],
  headers: Record<string, string> = {},
  retryAfterMs?: number,
): FaultCase {
  const body = { error: { code, info: `The request failed: ${code}.`, docref: "See the API's help." } };
  return jsonCase(code, 200, expected, body, {
    headers: { "mediawiki-api-error": code, ...headers },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
