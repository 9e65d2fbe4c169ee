import type { Failed, Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { answerText } from "./answer-text.ts";
import { firstText, hostOf, httpUrl, numberOf, objectOf, textOf, type JsonObject } from "./fields.ts";
import { cutToCharacters } from "./query-limits.ts";
import {
  errorObject,
  failure,
  failureByStatus,
  missingList,
  resultsOf,
  succeeded,
  waitOfSeconds,
  withJson,
} from "./replies.ts";
import { tavilyCountry } from "./tavily-countries.ts";
import type { AnswerQuery, AnswerSearch, AnswerSource, Credentials, Provider, WebAnswer } from "./types.ts";

const NAME = "Tavily";
const QUERY_LENGTH = 399;
const PAGE = 20;
const DEFAULT_RESULTS = 5;

/** Wire: api.tavily.com/search. Its key goes into a header only: the body is what callers may see repeated in errors. */
export const tavily: Provider = {
  id: "tavily",
  name: NAME,
  homepage: "https://app.tavily.com",
  credentialSets: [{ key: "TAVILY_API_KEY" }],
  billed: true,
  limits: { queryLength: QUERY_LENGTH, pageSize: PAGE, rate: "1,000 credits a month free of charge, 100 a minute" },
  answers: { timeLimitMs: 20_000, request, read },
};

function request(query: AnswerQuery, { key = "" }: Credentials): UpstreamRequest {
  return {
    url: "https://api.tavily.com/search",
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      query: cutToCharacters(query.question, QUERY_LENGTH),
      ...parametersOf(query.search ?? {}),
    }),
  };
}

/** What it calls no parameter, or has no value for, is left out: an empty string or an ISO code would be a 400. */
function parametersOf(search: AnswerSearch): JsonObject {
  const { country, include_domains: included, exclude_domains: excluded, ...plain } = search;
  const general = (plain.topic ?? "general") === "general";
  return {
    max_results: DEFAULT_RESULTS,
    include_answer: true,
    ...plain,
    country: general && country !== undefined ? tavilyCountry(country) : undefined,
    include_domains: included?.length ? included : undefined,
    exclude_domains: excluded?.length ? excluded : undefined,
  };
}

function read(reply: UpstreamReply, query: AnswerQuery): Outcome<WebAnswer> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, (json) => {
    if (json.detail !== undefined || json.error !== undefined) {
      return failure(reply, "malformed", "Tavily sent an error where results are due");
    }
    const most = query.search?.max_results ?? DEFAULT_RESULTS;
    if (json.results === undefined || json.results === null) return missingList(reply, NAME);
    const found = resultsOf(reply, NAME, json.results, sourceOf, { num: most });
    if (found.kind === "failed") return found;
    const sources = found.kind === "hit" ? found.results : [];
    const text = typeof json.answer === "string" ? answerText(json.answer) : "";
    if (sources.length === 0 && text === "") return { kind: "empty" };
    return { kind: "hit", results: [{ text, sources, queries: [] }] };
  });
}

function refusal(reply: UpstreamReply): Failed {
  const { status } = reply;
  if (status === 401 || status === 403) {
    return failure(reply, "auth", "Tavily refuses the key: check TAVILY_API_KEY");
  }
  if (status === 432) return failure(reply, "quota", "The plan at Tavily is used up");
  if (status === 433) return failure(reply, "quota", "The pay-as-you-go limit at Tavily is reached");
  if (status === 429) {
    const error = objectOf(errorObject(reply).error);
    const seconds = numberOf(error?.retry_after_seconds);
    const wait = seconds === undefined ? {} : { retryAfterMs: waitOfSeconds(seconds) };
    return failure(reply, "rate", "Tavily asks us to slow down", wait);
  }
  if (status === 400 || status === 422) {
    const parameter = /\b(country|topic|time_range|start_date|end_date|query)\b/i.exec(complaintOf(reply))?.[1];
    const what = parameter === undefined ? "these parameters" : `this \`${parameter.toLowerCase()}\``;
    return failure(reply, "bad-request", `Tavily does not take ${what}`);
  }
  return failureByStatus(reply, NAME);
}

/** `detail` is a string, `{error}`, or a list of faults. */
function complaintOf(reply: UpstreamReply): string {
  const { detail } = errorObject(reply);
  return typeof detail === "string" ? detail : (JSON.stringify(detail) ?? "");
}

function sourceOf(item: JsonObject): AnswerSource | undefined {
  const url = httpUrl(item.url);
  if (url === "") return undefined;
  return { title: textOf(item.title) || hostOf(url), url, snippet: firstText(item.content, item.raw_content) };
}
