import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/cascade/outcome.ts";
import { gemini } from "../../src/providers/gemini.ts";
import { tavily } from "../../src/providers/tavily.ts";
import type { AnswerQuery, AnswerSearch, WebAnswer } from "../../src/providers/types.ts";
import { FAULT_CASES } from "../upstreams/fault-cases.ts";
import { reply } from "./replies.ts";

const KEY = "planted-key-0123";

function question(facts: Partial<AnswerQuery> = {}): AnswerQuery {
  return { question: "who won?", grounded: true, ...facts };
}

function classOf(outcome: Outcome<unknown>): string {
  return outcome.kind === "failed" ? outcome.class : outcome.kind;
}

function readGemini(body: unknown, facts: Partial<AnswerQuery> = {}): Outcome<WebAnswer> {
  return gemini.answers!.read(reply(200, body), question(facts));
}

function answerOf(outcome: Outcome<WebAnswer>): WebAnswer {
  if (outcome.kind !== "hit") throw new Error(`no hit: ${classOf(outcome)}`);
  return outcome.results[0]!;
}

function sentTo(provider: typeof gemini, query: AnswerQuery) {
  const { url, headers, body } = provider.answers!.request(query, { key: KEY });
  return { url, headers, text: body!, body: JSON.parse(body!) as Record<string, unknown> };
}

const redirect = (token: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`;

const DOCUMENTED = {
  candidates: [
    {
      content: { parts: [{ text: "X won." }] },
      finishReason: "STOP",
      groundingMetadata: {
        webSearchQueries: ["who won x"],
        groundingChunks: [{ web: { uri: redirect("AB"), title: "e.test" } }],
        groundingSupports: [{ segment: { endIndex: 6, text: "X won." }, groundingChunkIndices: [0] }],
      },
    },
  ],
};

describe("a failure", () => {
  it.each([gemini, tavily])("of $id that no table names is read as everywhere", ({ answers }) => {
    const classFor = (status: number, body: unknown = "") => classOf(answers!.read(reply(status, body), question()));
    expect([402, 408, 302, 418, 504, 204].map((status) => classFor(status))).toEqual([
      "quota",
      "transient",
      "malformed",
      "bad-request",
      "transient",
      "malformed",
    ]);
    expect(classFor(200, '{"cut": [')).toBe("malformed");
    expect(classFor(200, "[]")).toBe("malformed");
    const leaky = reply(429, { error: "leak-me https://x.test/?api_key=abc" }, { "retry-after": "3" });
    const outcome = answers!.read(leaky, question());
    expect(outcome).toMatchObject({ class: "rate", status: 429, retryAfterMs: 3_000 });
    expect(JSON.stringify(outcome)).not.toMatch(/leak-me|x\.test|abc/);
  });

  it("lets a day's quota of Gemini rest until midnight in California, not for the minute's delay", () => {
    const fault = FAULT_CASES.gemini!.find(({ id }) => id === "quota-per-day")!;
    const at = Date.parse("2026-11-20T08:00:00Z");
    const outcome = gemini.answers!.read({ ...fault, headers: new Headers(), receivedAt: at }, question());
    expect(outcome).toMatchObject({ class: "quota", retryAfterMs: 24 * 3_600_000 });
  });

  it("tells a retired model by its status, which no other refusal has", () => {
    const outcome = gemini.answers!.read(reply(404, { error: { code: 404, status: "NOT_FOUND" } }), question());
    expect(outcome).toMatchObject({ class: "bad-request", status: 404 });
  });

  it("does not hold a refused question against Gemini's health", () => {
    const outcome = readGemini({ promptFeedback: { blockReason: "SAFETY" } });
    expect(outcome).toMatchObject({ class: "blocked" });
    expect(outcome).not.toHaveProperty("status");
  });

  it("names the parameter that Tavily does not take, in our words", () => {
    const outcome = tavily.answers!.read(reply(400, { detail: { error: "Invalid country." } }), question());
    expect(outcome).toMatchObject({ detail: "Tavily does not take this `country`" });
  });
});

describe("a grounded answer of Gemini", () => {
  it("gives text, sources, snippets and searches", () => {
    expect(answerOf(readGemini(DOCUMENTED))).toEqual({
      text: "X won.",
      sources: [{ title: "e.test", url: redirect("AB"), snippet: "X won." }],
      queries: ["who won x"],
    });
  });

  it("is the same in snake_case", () => {
    const snake = JSON.stringify(DOCUMENTED).replaceAll(
      /"(\w+)":/g,
      (_, name: string) => `"${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`,
    );
    expect(readGemini(snake)).toEqual(readGemini(DOCUMENTED));
  });

  it("counts segments in bytes of UTF-8, per part", () => {
    const first = "Đội tuyển thắng — 3:1. ";
    const second = "長崎で行われた。";
    const outcome = readGemini({
      candidates: [
        {
          content: { parts: [{ text: "hmm", thought: true }, { text: first }, { text: second }] },
          groundingMetadata: {
            groundingChunks: [{ web: { uri: "https://a.test/" } }, { web: { uri: "https://b.test/", title: "b" } }],
            groundingSupports: [
              { segment: { partIndex: 2, endIndex: 6 }, groundingChunkIndices: [1] },
              { segment: { partIndex: 1, startIndex: 23, endIndex: 26 }, groundingChunkIndices: [0, 1] },
              { segment: { partIndex: 1, endIndex: 20 }, groundingChunkIndices: [0] },
            ],
          },
        },
      ],
    });
    const bytes = new TextEncoder().encode(first);
    const slice = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to)).trim();
    expect(answerOf(outcome)).toMatchObject({
      text: first + second,
      sources: [
        { title: "a.test", snippet: `${slice(0, 20)} ${slice(23, 26)}`.trim() },
        { title: "b", snippet: expect.stringContaining("長崎") },
      ],
    });
  });

  it("finds metadata that stands in a part, and a chunk's index where an earlier chunk is unusable", () => {
    const outcome = readGemini({
      candidates: [
        {
          content: {
            parts: [
              { text: "One. " },
              {
                text: "Two.",
                groundingMetadata: {
                  groundingChunks: [{ web: { uri: "javascript:alert(1)" } }, { web: { uri: "https://b.test/x" } }],
                  groundingSupports: [{ segment: { text: "Two." }, groundingChunkIndices: [1] }],
                },
              },
            ],
          },
        },
      ],
    });
    expect(answerOf(outcome).sources).toEqual([{ title: "b.test", url: "https://b.test/x", snippet: "Two." }]);
  });

  it("needs sources only where they were asked for", () => {
    const bare = { candidates: [{ content: { parts: [{ text: "From memory." }] }, finishReason: "STOP" }] };
    expect(classOf(readGemini(bare, { grounded: true }))).toBe("malformed");
    expect(answerOf(readGemini(bare, { grounded: false })).text).toBe("From memory.");
  });

  it("keeps line breaks and markup of an answer, and loses what cannot be seen", () => {
    const text = "Use `<b>`:\r\n\r\n\r\n- one\u200b\n-  two\u202e";
    const outcome = readGemini({ candidates: [{ content: { parts: [{ text }] } }] }, { grounded: false });
    expect(answerOf(outcome).text).toBe("Use `<b>`:\n\n- one\n- two");
  });
});

describe("what Gemini is sent", () => {
  it("is the key in a header, the question apart from the order, and the search tool where grounded", () => {
    const sent = sentTo(gemini, question({ instruction: "Be brief.", model: "gemini-3.5-flash" }));
    expect(sent.url).toBe("https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash:generateContent");
    expect(sent.headers).toMatchObject({ "x-goog-api-key": KEY });
    expect(sent.text).not.toContain(KEY);
    expect(sent.body).toMatchObject({
      contents: [{ role: "user", parts: [{ text: "who won?" }] }],
      systemInstruction: { parts: [{ text: "Be brief." }] },
      tools: [{ google_search: {} }],
    });
    expect(sentTo(gemini, question({ grounded: false })).body).not.toHaveProperty("tools");
  });

  it("cannot leave the model's place in the address", () => {
    expect(sentTo(gemini, question({ model: "../x?y#z" })).url).toContain("/models/..%2Fx%3Fy%23z:generateContent");
  });
});

describe("what Tavily is sent", () => {
  const body = (search: AnswerSearch) => sentTo(tavily, question({ search })).body;

  it("is the key as Bearer and never in the body", () => {
    const sent = sentTo(tavily, question());
    expect(sent.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(sent.text).not.toContain(KEY);
  });

  it("asks for an answer unless told otherwise", () => {
    expect(body({})).toMatchObject({ include_answer: true, max_results: 5 });
    expect(body({ include_answer: false })).toMatchObject({ include_answer: false });
  });

  it.each([
    ["vn", "vietnam"],
    ["GB", "united kingdom"],
    ["uk", "united kingdom"],
    ["Czechia", "czech republic"],
    ["United States", "united states"],
  ])("knows the country %s as %s", (given, name) => {
    expect(body({ country: given })).toMatchObject({ country: name });
  });

  it("leaves the country out for topics that take none, and empty lists", () => {
    const sent = body({ country: "vn", topic: "news", include_domains: [], exclude_domains: ["x.test"] });
    expect(sent).not.toHaveProperty("country");
    expect(sent).not.toHaveProperty("include_domains");
    expect(sent).toMatchObject({ exclude_domains: ["x.test"], topic: "news" });
  });

  it("cuts a long question at a word below 400 characters", () => {
    const sent = sentTo(tavily, question({ question: "word ".repeat(200) })).body.query as string;
    expect(sent.length).toBeLessThan(400);
    expect(sent.endsWith("word")).toBe(true);
  });
});

describe("what Tavily answers", () => {
  const read = (body: unknown, search: AnswerSearch = {}) =>
    tavily.answers!.read(reply(200, body), question({ search }));

  it("gives sources with snippets, from the raw content where there is no other", () => {
    const outcome = read({
      answer: "Yes.",
      results: [
        { title: "T", url: "https://e.test/", content: "<b>c</b>", score: 0.8 },
        { title: "", url: "https://f.test/", content: null, raw_content: "raw" },
        { title: "no address", url: "ftp://g.test/" },
      ],
    });
    expect(answerOf(outcome)).toEqual({
      text: "Yes.",
      sources: [
        { title: "T", url: "https://e.test/", snippet: "c" },
        { title: "f.test", url: "https://f.test/", snippet: "raw" },
      ],
      queries: [],
    });
  });

  it("is an answer without sources too, and one without words", () => {
    expect(answerOf(read({ answer: "Yes.", results: [] }, { max_results: 0 })).text).toBe("Yes.");
    expect(answerOf(read({ answer: null, results: [{ url: "https://e.test/" }] })).text).toBe("");
  });
});

describe("whatever comes back", () => {
  const lookalike = fc
    .record({
      text: fc.jsonValue({ maxDepth: 1 }),
      metadata: fc.jsonValue({ maxDepth: 3 }),
      chunks: fc.array(fc.record({ web: fc.record({ uri: fc.jsonValue({ maxDepth: 0 }), title: fc.jsonValue() }) })),
      supports: fc.array(fc.record({ segment: fc.jsonValue(), groundingChunkIndices: fc.jsonValue({ maxDepth: 1 }) })),
    })
    .map(({ text, metadata, chunks, supports }) => ({
      candidates: [
        {
          content: { parts: [{ text, groundingMetadata: metadata }] },
          groundingMetadata: { groundingChunks: chunks, groundingSupports: supports },
        },
      ],
      results: chunks.map(({ web }) => ({ url: web.uri, title: web.title, content: text })),
      answer: text,
    }));

  it.each([gemini, tavily])("$id reads it without throwing", ({ answers }) => {
    const status = fc.oneof(fc.constant(200), fc.integer({ min: 200, max: 599 }));
    const body = fc.oneof(lookalike, fc.jsonValue(), fc.string());
    fc.assert(
      fc.property(status, body, (code, given) => {
        const outcome = answers!.read(reply(code, given), question());
        expect(outcome.kind !== "hit" || outcome.results.length === 1).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
