import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { httpUrl, numberOf, textOf, type JsonObject } from "./fields.ts";
import { cutToCharacters } from "./query-limits.ts";
import {
  failure,
  failureByStatus,
  missingList,
  resultsOf,
  retryAfterMs,
  succeeded,
  waitUntilUnix,
  withJson,
} from "./replies.ts";
import type { Provider, Repository, SearchQuery } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "GitHub";
const QUERY_LENGTH = 256;
const PAGE = 100;
/** No search shows more than its first thousand. */
const DEPTH = 1_000;

/** Wire: docs.github.com/rest/search/search, `/search/repositories`, version 2022-11-28. */
export const github: Provider = {
  id: "github",
  name: NAME,
  homepage: "https://github.com/settings/personal-access-tokens",
  credentialSets: [{ key: "GITHUB_TOKEN" }, {}],
  limits: {
    queryLength: QUERY_LENGTH,
    pageSize: PAGE,
    rate: "30 a minute with a token, 10 without, 1000 results deep",
  },
  cache: { fresh: 300, staleIfError: 604_800 },
  repositories: {
    timeLimitMs: 8_000,
    request: (query, { key }) => ({
      url: urlWith("https://api.github.com/search/repositories", {
        q: cutToCharacters(query.query, QUERY_LENGTH),
        sort: "stars",
        order: "desc",
        per_page: pageSize(query),
        // Beyond the last page there is nothing: the clamped call is made, and `read` answers `empty`.
        page: Math.min(query.page, lastPage(query)),
      }),
      headers: {
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
    }),
    read: (reply, query) => (succeeded(reply) ? read(reply, query) : refusal(reply)),
  },
};

function pageSize({ num }: SearchQuery): number {
  return Math.min(num, PAGE);
}

function lastPage(query: SearchQuery): number {
  return Math.floor(DEPTH / pageSize(query));
}

function read(reply: UpstreamReply, query: SearchQuery): Outcome<Repository> {
  return withJson(reply, NAME, (json) => {
    if (json.items === undefined || json.items === null) return missingList(reply, NAME);
    const outcome = resultsOf(reply, NAME, json.items, repository, { num: query.num });
    if (outcome.kind === "empty" && json.incomplete_results === true) {
      return failure(reply, "transient", "GitHub ran out of time before it found anything");
    }
    return outcome.kind === "hit" && query.page > lastPage(query) ? { kind: "empty" } : outcome;
  });
}

function refusal(reply: UpstreamReply): Failed {
  const { status, body } = reply;
  if (status === 401) return failure(reply, "auth", "GitHub refuses the token: check GITHUB_TOKEN");
  if (status !== 403 && status !== 429) return failureByStatus(reply, NAME);
  if (/user-agent/i.test(body)) return failure(reply, "blocked", "GitHub wants a User-Agent");
  if (status === 429 || isSpent(reply) || /rate limit/i.test(body)) {
    const wait = retryAfterMs(reply) ?? untilReset(reply);
    return failure(reply, "rate", "GitHub asks us to slow down", wait === undefined ? {} : { retryAfterMs: wait });
  }
  return failure(reply, "auth", "GitHub does not let this token search");
}

/** The primary limit counts down to zero; the secondary one only says how long to wait. */
function isSpent(reply: UpstreamReply): boolean {
  return reply.headers.get("x-ratelimit-remaining") === "0" || reply.headers.has("retry-after");
}

function untilReset(reply: UpstreamReply): number | undefined {
  if (reply.headers.get("x-ratelimit-remaining") !== "0") return undefined;
  const reset = numberOf(reply.headers.get("x-ratelimit-reset"));
  return reset === undefined ? undefined : waitUntilUnix(reset, reply);
}

function repository(item: JsonObject): Repository | undefined {
  const name = textOf(item.full_name);
  const url = httpUrl(item.html_url);
  if (name === "" || url === "") return undefined;
  return {
    name,
    description: textOf(item.description),
    stars: Math.max(0, Math.trunc(numberOf(item.stargazers_count) ?? 0)),
    language: textOf(item.language),
    url,
  };
}
