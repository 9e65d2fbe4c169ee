import { describe, expect, it } from "vitest";
import { type AnswerAttempt, type AnswerFacts, answerBody, fallbackReason, shortened } from "../../src/answer/body.ts";

const LIMITS = { results: 5, snippet: 400 };

function attempt(more: Partial<AnswerAttempt>): AnswerAttempt {
  return { provider: "gemini", step: "answer", outcome: "failed", ms: 1, cached: false, kept: 0, ...more };
}

function facts(more: Partial<AnswerFacts> = {}): AnswerFacts {
  const sources = [{ title: "T", url: "https://e.test/", snippet: "s ".repeat(600) }];
  const given = { text: "A", sources, queries: [] };
  return { provider: "gemini", given, usedWeb: true, classifiedWeb: true, redacted: [], attempts: [], ...more };
}

describe("the unified JSON", () => {
  it("tells who was searched with", () => {
    expect(answerBody(facts(), LIMITS)).toMatchObject({ searched_with: "gemini", fallback: false, untrusted: true });
    const direct = answerBody(facts({ usedWeb: false, classifiedWeb: false }), LIMITS);
    expect(direct).toMatchObject({ provider: "gemini", searched_with: "none", used_web: false, untrusted_note: null });
    const fallback = answerBody(facts({ provider: "tavily" }), LIMITS);
    expect(fallback).toMatchObject({ searched_with: "tavily", fallback: true });
  });

  it("cuts snippets, results and the answer", () => {
    const given = { text: "word ".repeat(400), sources: facts().given.sources, queries: [] };
    const body = answerBody(facts({ given }), { results: 1, snippet: 50 });
    expect(body.results[0]!.snippet.length).toBeLessThanOrEqual(51);
    expect(body.answer!.length).toBeLessThanOrEqual(1_201);
    expect(body.answer!.endsWith("word…")).toBe(true);
    expect(answerBody(facts(), { results: 0, snippet: 50 }).results).toEqual([]);
  });

  it("returns no snippets when told so, and null for no answer", () => {
    const given = { ...facts().given, text: "" };
    const body = answerBody(facts({ given }), { results: 5, snippet: 0 });
    expect(body).toMatchObject({ answer: null, results: [{ snippet: "" }] });
  });

  it.each([
    [attempt({ class: "quota" }), "gemini_quota"],
    [attempt({ class: "bad-request" }), "gemini_bad_request"],
    [attempt({ outcome: "empty" }), "gemini_empty"],
    [attempt({ class: "skipped", detail: "not configured: needs GEMINI_API_KEY" }), "gemini_key_missing"],
    [attempt({ class: "skipped", detail: "suspended", retry_after_ms: 5 }), "gemini_suspended"],
  ])("names what ended the way through Gemini: %#", (last, reason) => {
    const attempts = [attempt({ class: "timeout" }), last, attempt({ provider: "tavily", step: "search" })];
    expect(fallbackReason(attempts)).toBe(reason);
  });

  it("never cuts a character in two", () => {
    expect(shortened("😀😀😀", 2)).toBe("😀😀…");
  });
});
