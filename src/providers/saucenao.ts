import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply } from "../egress/wire.ts";
import { arrayOf, firstText, hostOf, httpUrl, numberOf, objectOf, textOf, type JsonObject } from "./fields.ts";
import { errorObject, failure, failureByStatus, resultsOf, succeeded, withJson } from "./replies.ts";
import type { Provider, ReverseFinding, ReverseMatch } from "./types.ts";
import { urlWith } from "./urls.ts";

const NAME = "SauceNAO";
const RESULTS = 8;
const LINKS = 3;
const SHORT_SPAN_MS = 30_000;
const LONG_SPAN_MS = 24 * 3_600_000;
/** Every index. */
const ALL_INDEXES = 999;

/**
 * Wire: saucenao.com/user.php?page=search-api, `output_type=2`. Matches of any similarity are given: what counts as
 * strong is the caller's choice. Those that SauceNAO marks as hidden (adult content) keep their names and links and lose
 * their picture.
 */
export const saucenao: Provider = {
  id: "saucenao",
  name: NAME,
  homepage: "https://saucenao.com/user.php?page=search-api",
  credentialSets: [{ key: "SAUCENAO_API_KEY" }],
  limits: {
    pageSize: RESULTS,
    rate: "by account, told in each answer: free ones about 4 in 30 seconds and 100 a day",
  },
  // A free account's half minute: more at once would only be sent away.
  slots: 4,
  reverseEngines: {
    saucenao: {
      timeLimitMs: 15_000,
      request: ({ imageUrl }, { key = "" }) => ({
        url: urlWith("https://saucenao.com/search.php", {
          output_type: 2,
          db: ALL_INDEXES,
          numres: RESULTS,
          url: imageUrl,
          api_key: key,
        }),
        headers: { accept: "application/json" },
      }),
      read: (reply) => (succeeded(reply) ? withJson(reply, NAME, (json) => read(reply, json)) : refusal(reply)),
    },
  },
};

function read(reply: UpstreamReply, json: JsonObject): Outcome<ReverseFinding> {
  const header = objectOf(json.header) ?? {};
  if (numberOf(header.user_id) === 0) return wrongKey(reply);
  const status = numberOf(header.status);
  if (status === undefined) return failure(reply, "malformed", "SauceNAO does not say whether the search succeeded");
  if (status < 0)
    return failure(reply, "bad-request", "SauceNAO cannot use this image: unreachable, too small or none");
  const matches = resultsOf(reply, NAME, json.results, matchOf, { num: RESULTS });
  if (matches.kind !== "hit") return matches.kind === "failed" ? matches : whyNone(reply, header, status);
  const short = numberOf(header.short_remaining);
  const long = numberOf(header.long_remaining);
  const total = Math.max(matches.results.length, numberOf(header.results_returned) ?? 0);
  return {
    kind: "hit",
    results: [
      {
        matches: matches.results,
        total,
        ...(short === undefined || long === undefined ? {} : { remaining: { short, long } }),
      },
    ],
  };
}

/** With a positive status some indexes were down: without results we do not know what they hold. */
function whyNone(reply: UpstreamReply, header: JsonObject, status: number): Outcome<ReverseFinding> {
  const spent = spentAllowance(reply, header);
  if (spent !== undefined) return spent;
  return status > 0 ? failure(reply, "transient", "Some indexes of SauceNAO are out of order") : { kind: "empty" };
}

function refusal(reply: UpstreamReply): Failed {
  if (reply.status === 403) return wrongKey(reply);
  if (reply.status === 413) return failure(reply, "bad-request", "The image is too large for SauceNAO");
  if (reply.status !== 429) return failureByStatus(reply, NAME);
  const header = objectOf(errorObject(reply).header) ?? {};
  if (/daily/i.test(textOf(header.message))) return usedUp(reply);
  return spentAllowance(reply, header) ?? tooFast(reply);
}

/** What is left counts below zero once there is too much. */
function spentAllowance(reply: UpstreamReply, header: JsonObject): Failed | undefined {
  if ((numberOf(header.long_remaining) ?? 0) < 0) return usedUp(reply);
  return (numberOf(header.short_remaining) ?? 0) < 0 ? tooFast(reply) : undefined;
}

function usedUp(reply: UpstreamReply): Failed {
  return failure(reply, "quota", "The day's searches at SauceNAO are used up", { retryAfterMs: LONG_SPAN_MS });
}

function tooFast(reply: UpstreamReply): Failed {
  return failure(reply, "rate", "SauceNAO asks us to slow down", { retryAfterMs: SHORT_SPAN_MS });
}

function wrongKey(reply: UpstreamReply): Failed {
  return failure(reply, "auth", "SauceNAO refuses the key: check SAUCENAO_API_KEY");
}

function matchOf(item: JsonObject): ReverseMatch | undefined {
  const header = objectOf(item.header);
  const data = objectOf(item.data);
  if (header === undefined || data === undefined) return undefined;
  const links = [...arrayOf(data.ext_urls), data.source].map(httpUrl).filter((url) => url !== "");
  const [link = ""] = links;
  const author = authorOf(data);
  const similarity = numberOf(header.similarity);
  const isHidden = (numberOf(header.hidden) ?? 0) > 0;
  const thumbnailUrl = isHidden ? "" : httpUrl(header.thumbnail);
  return {
    title: firstText(data.title, data.eng_name, data.jp_name, data.source, data.material),
    link,
    source: indexName(header.index_name) || hostOf(link),
    ...(author === "" ? {} : { author }),
    ...(thumbnailUrl === "" ? {} : { thumbnailUrl }),
    ...(similarity === undefined ? {} : { similarity: Math.min(100, Math.max(0, similarity)) }),
    ...(links.length === 0 ? {} : { links: [...new Set(links)].slice(0, LINKS) }),
  };
}

/** Each index has a field of its own for who made the work; `creator` may be several. */
function authorOf(data: JsonObject): string {
  const creators = arrayOf(data.creator)
    .map(textOf)
    .filter((name) => name !== "")
    .join(", ");
  return firstText(
    data.member_name,
    creators,
    data.creator,
    data.author_name,
    data.pawoo_user_display_name,
    data.pawoo_user_username,
    data.pawoo_user_acct,
    data.company,
    data.artist,
  );
}

/** `Index #5: Pixiv Images - 7654321_p0.jpg` names a site and a file of its own. */
function indexName(value: unknown): string {
  return /^Index #\d+:\s*(.+?)(?:\s+-\s.*)?$/.exec(textOf(value))?.[1] ?? "";
}
