import type { Failed } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { hostOf, httpUrl, textOf, type JsonObject } from "./fields.ts";
import { googleCountry, googleLanguage, googleResultLanguage } from "./locales.ts";
import { cutToEncoded } from "./query-limits.ts";
import { failure, failureByStatus, resultsOf, succeeded, withJson } from "./replies.ts";
import type { Provider, SearchQuery, WebResult } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "Google Custom Search";
const QUERY_LENGTH = 2048;
const PAGE = 10;
const LAST_START = 91;

/** Wire: developers.google.com/custom-search/v1. Closed to new customers; it ends for the others in 2027. */
export const googleCse: Provider = {
  id: "google-cse",
  name: NAME,
  homepage: "https://developers.google.com/custom-search/v1/overview",
  credentialSets: [
    { key: "GOOGLE_SEARCH_API_KEY_1", cx: "GOOGLE_CSE_ID" },
    { key: "GOOGLE_SEARCH_API_KEY_2", cx: "GOOGLE_CSE_ID" },
  ],
  billed: true,
  limits: { queryLength: QUERY_LENGTH, pageSize: PAGE, rate: "100 a day and project free of charge, 100 results deep" },
  /** The terms of Google's APIs allow no copies beyond what an application needs at the moment. */
  cache: { fresh: 300, staleIfError: 0 },
  sunset: "2027-01-01",
  web: {
    timeLimitMs: 8_000,
    request: (query, { key = "", cx = "" }) => ({
      url: urlWith("https://www.googleapis.com/customsearch/v1", {
        key,
        cx,
        q: cutToEncoded(query.query, QUERY_LENGTH),
        num: pageSize(query),
        // Beyond the last start there is nothing: the clamped call is made, and `read` answers `empty`.
        start: Math.min(startOf(query), LAST_START),
        gl: googleCountry(query.country),
        hl: googleLanguage(query.locale),
        lr: googleResultLanguage(query.locale),
        safe: query.safe ? "active" : "off",
      }),
    }),
    read: (reply, query) => {
      if (!succeeded(reply)) return refusal(reply);
      return withJson(reply, NAME, (json) => {
        const outcome = resultsOf(reply, NAME, json.items, webResult, { num: query.num });
        return outcome.kind === "hit" && startOf(query) > LAST_START ? { kind: "empty" } : outcome;
      });
    },
  },
};

function pageSize(query: SearchQuery): number {
  return Math.min(query.num, PAGE);
}

function startOf(query: SearchQuery): number {
  return (query.page - 1) * pageSize(query) + 1;
}

function refusal(reply: UpstreamReply): Failed {
  const { status, body } = reply;
  if (status === 400 && /API_KEY_INVALID|API key not valid/i.test(body)) {
    return failure(reply, "auth", "Google refuses the key: check GOOGLE_SEARCH_API_KEY_1 and _2");
  }
  if (status === 403) return forbidden(reply);
  if (status === 410) {
    return failure(reply, "auth", "Google has shut Custom Search down: use another provider", { permanent: true });
  }
  if (status === 429 && /per day/i.test(body)) return dayUsedUp(reply);
  return failureByStatus(reply, NAME);
}

function forbidden(reply: UpstreamReply): Failed {
  const { body } = reply;
  if (/does not have the access|accessNotConfigured|SERVICE_DISABLED/i.test(body)) {
    return failure(reply, "auth", "This Google project has no access to Custom Search, and new ones get none", {
      permanent: true,
    });
  }
  if (/dailyLimitExceeded/i.test(body)) return dayUsedUp(reply);
  if (/(?:userR|r)ateLimitExceeded/.test(body))
    return failure(reply, "rate", "Google Custom Search asks us to slow down");
  return failure(reply, "auth", "Google does not let this key use Custom Search");
}

/** The quota belongs to the project, so that a second key helps only from another one. */
function dayUsedUp(reply: UpstreamReply): Failed {
  const retryAfterMs = untilMidnightInCalifornia(reply.receivedAt);
  return failure(reply, "quota", "The day's queries of this Google project are used up", { retryAfterMs });
}

/** The quota begins anew at midnight Pacific time. Off by an hour on the two nights when clocks change. */
export function untilMidnightInCalifornia(now: number): number {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: "America/Los_Angeles",
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(now);
  const part = (type: string): number => Number(clock.find((each) => each.type === type)?.value ?? 0);
  return (24 * 3600 - part("hour") * 3600 - part("minute") * 60 - part("second")) * 1000;
}

function webResult(item: JsonObject): WebResult | undefined {
  const link = httpUrl(item.link);
  if (link === "") return undefined;
  return {
    title: textOf(item.title),
    link,
    snippet: textOf(item.snippet),
    source: textOf(item.displayLink) || hostOf(link),
  };
}
