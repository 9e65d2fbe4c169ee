import { describe, expect, it } from "vitest";
import { wantsSearch } from "../../src/answer/classify.ts";
import { redactQuery } from "../../src/answer/redact-query.ts";

describe("the classifier's words", () => {
  it.each([
    "YES",
    "Yes.",
    "YES,",
    "yes!",
    "**YES**",
    " \n yes\n",
    "YES - it may have changed",
    "No. Yes.",
    "Yes or no",
  ])("ask for a search: %j", (words) => {
    expect(wantsSearch(words)).toBe(true);
  });

  it.each(["NO", "No.", "no", "NO,", "**NO**", "NO\nStable knowledge.", "No - stable knowledge", '"NO"'])(
    "say that none is needed: %j",
    (words) => {
      expect(wantsSearch(words)).toBe(false);
    },
  );

  it.each(["", "maybe", "Not sure", "No idea", "NOPE", "I cannot tell", "Nothing"])(
    "lean to searching: %j",
    (words) => {
      expect(wantsSearch(words)).toBe(true);
    },
  );
});

describe("what leaves with a question", () => {
  it.each([
    "what happened on 2026-11-30",
    "what happened on 30.11.2026 and 11/30/2026",
    "population between 1990 2000 2010 and 2020",
    "who owns 192.168.100.200 and 8.8.8.8",
    "digits of pi after 3.14159265",
    "what is +3.14159265358 rounded",
    "order 12345678 status",
    "is 2147483647 prime",
    "ISBN 978-3-16-148410-0",
    "flights 2026-12-01 14:30 to 2026-12-08",
    "RFC 9110 section 10.2.3",
    "price of 1 000 000 000 VND",
    "what does sk-learn do",
    "@openai on x",
    "C++2023 10 20 30 40",
    "UTC+0700 2026 11 30",
  ])("is all of it: %s", (query) => {
    expect(redactQuery(query)).toEqual({ text: query, redacted: [] });
  });

  it.each([
    ["mail jane.doe+x@mail.example.com now", "mail [REDACTED_EMAIL] now", ["email"]],
    ["call +84 912 345 678 please", "call [REDACTED_PHONE] please", ["phone"]],
    ["call +14155550123.", "call [REDACTED_PHONE].", ["phone"]],
    ["is (415) 555-0123 or 415-555-0123 open", "is [REDACTED_PHONE] or [REDACTED_PHONE] open", ["phone"]],
    ["why does sk-abcdefghijklmnop1234 fail", "why does [REDACTED_KEY] fail", ["key"]],
    ["AIzaSyA1234567890abcdefghijklmnopqrstuv leaked?", "[REDACTED_KEY] leaked?", ["key"]],
    ["a@b.example and +84912345678", "[REDACTED_EMAIL] and [REDACTED_PHONE]", ["email", "phone"]],
  ])("is without private data: %s", (query, text, redacted) => {
    expect(redactQuery(query)).toEqual({ text, redacted });
  });

  it("keeps its lines, which code depends on", () => {
    expect(redactQuery(" explain:\n  if x:\n    y\n").text).toBe("explain:\n  if x:\n    y");
  });
});
