import { describe, expect, it } from "vitest";
import { answerRequestSchema, limitsOf, searchOf } from "../../src/answer/request.ts";
import { fieldFaults } from "../../src/field-faults.ts";

function request(options: Record<string, unknown> = {}) {
  return answerRequestSchema.parse({ query: "q", ...options });
}

function faultsOf(options: Record<string, unknown>): string[] {
  const parsed = answerRequestSchema.safeParse({ query: "q", ...options });
  return parsed.success ? [] : fieldFaults(parsed.error).map(({ pointer }) => pointer);
}

describe("the options of an answer", () => {
  it.each([
    [{ api_key: "tvly-x" }, "/api_key"],
    [{ country: "xx" }, "/country"],
    [{ country: "hk" }, "/country"],
    [{ country: "vn", topic: "news" }, "/country"],
    [{ topic: "sports" }, "/topic"],
    [{ search_depth: "deep" }, "/search_depth"],
    [{ max_results: 21 }, "/max_results"],
    [{ max_results: "5" }, "/max_results"],
    [{ chunks_per_source: 4 }, "/chunks_per_source"],
    [{ start_date: "2026-02-30" }, "/start_date"],
    [{ start_date: "30.11.2026" }, "/start_date"],
    [{ start_date: "2026-11-30", end_date: "2026-11-29" }, "/start_date"],
    [{ include_domains: "a.test" }, "/include_domains"],
    [{ time_range: "hour" }, "/time_range"],
    [{ snippet_max_chars: 801 }, "/snippet_max_chars"],
    [{ query: " " }, "/query"],
  ])("are refused by field: %j", (options, pointer) => {
    expect(faultsOf(options)).toEqual([pointer]);
  });

  it("go to Tavily, without ours and without empty strings", () => {
    const search = searchOf(
      request({
        search_depth: "advanced",
        topic: "",
        country: "",
        start_date: "",
        time_range: "w",
        include_domains: ["a.test", " "],
        include_favicon: false,
        safe_mode: false,
        return_snippets: false,
        snippet_max_chars: 9,
      }),
    );
    expect(search).toEqual({
      search_depth: "advanced",
      time_range: "w",
      include_domains: ["a.test"],
      include_favicon: false,
      max_results: 5,
    });
  });

  it("let a safe search neither read pages nor return more than three", () => {
    const safe = request({ safe_mode: true, max_results: 9, include_raw_content: true });
    expect(searchOf(safe)).toEqual({ max_results: 3, include_raw_content: false });
    expect(limitsOf(safe)).toEqual({ results: 3, snippet: 200 });
  });

  it.each([
    [{}, { results: 5, snippet: 400 }],
    [
      { max_results: 20, snippet_max_chars: 800 },
      { results: 20, snippet: 800 },
    ],
    [{ max_results: 0 }, { results: 0, snippet: 400 }],
    [{ return_snippets: false }, { results: 5, snippet: 0 }],
    [
      { safe_mode: true, snippet_max_chars: 50 },
      { results: 3, snippet: 50 },
    ],
  ])("say how much is returned: %j", (options, limits) => {
    expect(limitsOf(request(options))).toEqual(limits);
  });
});
