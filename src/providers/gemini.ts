import { failed, type Failed, type Outcome } from "../cascade/outcome.ts";
import type { UpstreamReply, UpstreamRequest } from "../egress/wire.ts";
import { answerText } from "./answer-text.ts";
import { arrayOf, objectOf, textOf, type JsonObject } from "./fields.ts";
import { groundingOf } from "./gemini-grounding.ts";
import { untilMidnightInCalifornia } from "./google-cse.ts";
import { errorObject, failure, failureByStatus, succeeded, waitOfSeconds, withJson } from "./replies.ts";
import type { AnswerQuery, Credentials, Provider, WebAnswer } from "./types.ts";

const NAME = "Gemini";

/** Tried in this order: Google retires models on short notice, and one that is gone answers 404. */
export const GEMINI_MODELS: readonly [string, ...string[]] = ["gemini-3.1-flash-lite", "gemini-3.5-flash"];

/** Thinking counts too, so a tight limit would leave no word of an answer. */
const MAX_OUTPUT_TOKENS = 4_096;

/** Finish reasons that are a verdict on this one question. */
const REFUSALS = new Set([
  "SAFETY",
  "PROHIBITED_CONTENT",
  "BLOCKLIST",
  "SPII",
  "RECITATION",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
]);

/** Wire: generativelanguage.googleapis.com/v1beta, `models/{model}:generateContent`, with `google_search` if grounded. */
export const gemini: Provider = {
  id: "gemini",
  name: NAME,
  homepage: "https://aistudio.google.com/apikey",
  credentialSets: [{ key: "GEMINI_API_KEY" }],
  billed: true,
  limits: { pageSize: 1, rate: "5,000 grounded prompts a month free of charge; per minute and day by tier" },
  /** Google's terms forbid to keep grounded answers. */
  cache: { fresh: 0, staleIfError: 0 },
  answers: { timeLimitMs: 20_000, request, read },
};

function request(query: AnswerQuery, { key = "" }: Credentials): UpstreamRequest {
  const model = encodeURIComponent(query.model ?? GEMINI_MODELS[0]);
  return {
    url: `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`,
    method: "POST",
    headers: { "x-goog-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({
      ...(query.instruction === undefined ? {} : { systemInstruction: { parts: [{ text: query.instruction }] } }),
      contents: [{ role: "user", parts: [{ text: query.question.toWellFormed() }] }],
      ...(query.grounded ? { tools: [{ google_search: {} }] } : {}),
      generationConfig: { temperature: 0, maxOutputTokens: MAX_OUTPUT_TOKENS },
    }),
  };
}

function read(reply: UpstreamReply, query: AnswerQuery): Outcome<WebAnswer> {
  if (!succeeded(reply)) return refusal(reply);
  return withJson(reply, NAME, (json) => {
    if (json.error !== undefined) return failure(reply, "malformed", "Gemini sent an error where an answer is due");
    return answerOf(reply, json, query);
  });
}

function answerOf(reply: UpstreamReply, json: JsonObject, query: AnswerQuery): Outcome<WebAnswer> {
  const feedback = objectOf(json.promptFeedback) ?? objectOf(json.prompt_feedback) ?? {};
  if (textOf(feedback.blockReason ?? feedback.block_reason) !== "") return blocked();
  const candidate = objectOf(arrayOf(json.candidates)[0]);
  if (candidate === undefined) return failure(reply, "transient", "Gemini sent no answer");
  const unfinished = unfinishedReason(reply, textOf(candidate.finishReason ?? candidate.finish_reason));
  if (unfinished !== undefined) return unfinished;
  const parts = arrayOf(objectOf(candidate.content)?.parts).map((part) => objectOf(part) ?? {});
  const text = answerText(
    parts
      .filter((part) => part.thought !== true)
      .map((part) => (typeof part.text === "string" ? part.text : ""))
      .join(""),
  );
  if (text === "") return { kind: "empty" };
  const { sources, queries, suggestions } = groundingOf(json, candidate, parts);
  if (query.grounded && sources.length === 0) {
    return failure(reply, "malformed", "Gemini answered without naming a source");
  }
  return {
    kind: "hit",
    results: [{ text, sources, queries, ...(suggestions === undefined ? {} : { suggestions }) }],
  };
}

/** Without the status, which would count against the health of a provider that only refused this one question. */
function blocked(): Failed {
  return failed("blocked", "Gemini refuses to answer this question");
}

function unfinishedReason(reply: UpstreamReply, reason: string): Failed | undefined {
  if (reason === "" || reason === "STOP" || reason === "FINISH_REASON_UNSPECIFIED") return undefined;
  if (REFUSALS.has(reason)) return blocked();
  if (reason === "MAX_TOKENS") return failure(reply, "transient", "Gemini's answer was cut off");
  return failure(reply, "transient", "Gemini broke its answer off");
}

function refusal(reply: UpstreamReply): Failed {
  const error = objectOf(errorObject(reply).error) ?? {};
  const details = arrayOf(error.details).map((detail) => objectOf(detail) ?? {});
  const says = (field: string, value: string) => details.some((detail) => detail[field] === value);
  if (reply.status === 400 && (says("reason", "API_KEY_INVALID") || says("reason", "API_KEY_EXPIRED"))) {
    return failure(reply, "auth", "Gemini refuses the key: check GEMINI_API_KEY");
  }
  if (reply.status === 400 && error.status === "FAILED_PRECONDITION") {
    const detail = "Gemini is not available to this account: its country or its billing";
    return failure(reply, "auth", detail, { permanent: true });
  }
  if (reply.status === 401 || reply.status === 403) {
    return failure(reply, "auth", "Gemini refuses the key: check GEMINI_API_KEY");
  }
  if (reply.status === 404) return failure(reply, "bad-request", "Gemini has no such model any more");
  if (reply.status === 429) return exhausted(reply, details);
  return failureByStatus(reply, NAME);
}

function exhausted(reply: UpstreamReply, details: readonly JsonObject[]): Failed {
  const quotas = details
    .flatMap((detail) => arrayOf(detail.violations))
    .map((violation) => textOf(objectOf(violation)?.quotaId));
  if (quotas.some((quota) => quota.includes("PerDay"))) {
    // The delay that comes along is that of the minute's quota.
    const retryAfterMs = untilMidnightInCalifornia(reply.receivedAt);
    return failure(reply, "quota", "The day's requests of this Gemini project are used up", { retryAfterMs });
  }
  const isHelpOnly =
    details.length > 0 && details.every((detail) => textOf(detail["@type"]).endsWith("google.rpc.Help"));
  if (isHelpOnly) return failure(reply, "quota", "The grounded answers of this Gemini project are used up");
  const seconds = details
    .map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(textOf(detail.retryDelay))?.[1])
    .find((found) => found !== undefined);
  const wait = seconds === undefined ? {} : { retryAfterMs: waitOfSeconds(Number(seconds)) };
  return failure(reply, "rate", "Gemini asks us to slow down", wait);
}
