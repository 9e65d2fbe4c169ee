import { describe, expect, it } from "vitest";
import { brave } from "../../src/providers/brave.ts";
import { googleCse } from "../../src/providers/google-cse.ts";
import { searxng } from "../../src/providers/searxng.ts";
import { serpapi } from "../../src/providers/serpapi.ts";
import { serper } from "../../src/providers/serper.ts";
import type { Capability, Provider, SearchQuery } from "../../src/providers/types.ts";
import { wikipedia } from "../../src/providers/wikipedia.ts";
import { search } from "./replies.ts";

const credentials = { key: "k-1", cx: "c-1", base: "https://search.example/sub" };

function urlOf(provider: Provider, facts: Partial<SearchQuery> = {}, kind: "web" | "images" = "web"): URL {
  const capability: Capability<SearchQuery, unknown> = provider[kind]!;
  return new URL(capability.request(search(facts), credentials).url);
}

/** The value of one parameter; null where it is not sent. */
function parameter(provider: Provider, name: string, facts: Partial<SearchQuery>, kind: "web" | "images" = "web") {
  return urlOf(provider, facts, kind).searchParams.get(name);
}

function serperBody(facts: Partial<SearchQuery>): Record<string, unknown> {
  const { body } = serper.web!.request(search(facts), credentials);
  return JSON.parse(body!) as Record<string, unknown>;
}

describe("SerpAPI's request", () => {
  it("asks Google for a page, without the `num` that Google has dropped", () => {
    const url = urlOf(serpapi, { num: 10, page: 3 });
    expect(url.origin + url.pathname).toBe("https://serpapi.com/search.json");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      engine: "google",
      q: "old bridge",
      safe: "off",
      start: "20",
      api_key: "k-1",
    });
  });

  it("skips nothing for callers of small or large pages", () => {
    expect(parameter(serpapi, "start", { num: 5, page: 2 })).toBe("5");
    expect(parameter(serpapi, "start", { num: 50, page: 2 })).toBe("10");
  });

  it("names country, language and safe search in Google's codes", () => {
    const url = urlOf(serpapi, { country: "gb", locale: "zh-Hant-HK", safe: true });
    expect(url.searchParams.get("gl")).toBe("uk");
    expect(url.searchParams.get("hl")).toBe("zh-tw");
    expect(url.searchParams.get("safe")).toBe("active");
  });

  it("searches images with the light engine, no further than its last start", () => {
    const url = urlOf(serpapi, { num: 20, page: 2 }, "images");
    expect(url.searchParams.get("engine")).toBe("google_images_light");
    expect(url.searchParams.get("start")).toBe("20");
    expect(parameter(serpapi, "start", { num: 20, page: 900 }, "images")).toBe("999");
  });
});

describe("Google Custom Search's request", () => {
  it("asks for ten at most, from the right place", () => {
    const url = urlOf(googleCse, { num: 30, page: 2 });
    expect(url.origin + url.pathname).toBe("https://www.googleapis.com/customsearch/v1");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      key: "k-1",
      cx: "c-1",
      q: "old bridge",
      num: "10",
      start: "11",
      safe: "off",
    });
  });

  it("never asks past the last start", () => {
    expect(parameter(googleCse, "start", { num: 10, page: 10 })).toBe("91");
    expect(parameter(googleCse, "start", { num: 10, page: 11 })).toBe("91");
  });

  it.each([
    ["de-AT", "de", "lang_de"],
    ["he", "iw", "lang_iw"],
    ["nb-NO", "no", "lang_no"],
    ["pt-PT", "pt-PT", "lang_pt"],
    ["zh_CN", "zh-CN", "lang_zh-CN"],
    ["vi", "vi", null],
    ["tlh", null, null],
    ["not a locale", null, null],
  ])("maps the locale %s to hl %s and lr %s", (locale, hl, lr) => {
    expect(parameter(googleCse, "hl", { locale })).toBe(hl);
    expect(parameter(googleCse, "lr", { locale })).toBe(lr);
  });

  it("leaves out a country that there is not", () => {
    expect(parameter(googleCse, "gl", { country: "vn" })).toBe("vn");
    expect(parameter(googleCse, "gl", { country: "xx" })).toBeNull();
  });
});

describe("Serper's request", () => {
  it("posts JSON with the key in a header", () => {
    const request = serper.web!.request(search({ country: "vn", locale: "vi-VN", page: 2, num: 20 }), credentials);
    expect(request).toMatchObject({
      url: "https://google.serper.dev/search",
      method: "POST",
      headers: { "x-api-key": "k-1", "content-type": "application/json" },
    });
    expect(JSON.parse(request.body!)).toEqual({ q: "old bridge", gl: "vn", hl: "vi", num: 20, page: 2 });
  });

  it("leaves out what Google does not know, and has an endpoint for images", () => {
    expect(serperBody({ country: "zz", locale: "x" })).toEqual({ q: "old bridge", num: 10, page: 1 });
    expect(serper.images!.request(search(), credentials).url).toBe("https://google.serper.dev/images");
  });
});

describe("Brave's request", () => {
  it("sends the key in a header and counts pages from zero", () => {
    const request = brave.web!.request(search({ num: 50, page: 3 }), credentials);
    expect(request.headers).toMatchObject({ "x-subscription-token": "k-1" });
    const url = new URL(request.url);
    expect(url.origin + url.pathname).toBe("https://api.search.brave.com/res/v1/web/search");
    expect(url.searchParams.get("count")).toBe("20");
    expect(url.searchParams.get("offset")).toBe("2");
    expect(request.url).not.toContain("k-1");
  });

  it("never asks past the tenth page", () => {
    expect(parameter(brave, "offset", { page: 10 })).toBe("9");
    expect(parameter(brave, "offset", { page: 11 })).toBe("9");
  });

  it.each([
    ["jp", "JP"],
    ["gb", "GB"],
    ["vn", "ALL"],
    ["sg", "ALL"],
    [undefined, "ALL"],
  ])("maps the country %s to %s", (country, sent) => {
    expect(parameter(brave, "country", country === undefined ? {} : { country })).toBe(sent);
  });

  it.each([
    ["ja-JP", "jp"],
    ["zh", "zh-hans"],
    ["zh-CN", "zh-hans"],
    ["zh-TW", "zh-hant"],
    ["zh-Hant", "zh-hant"],
    ["pt", "pt-br"],
    ["pt-PT", "pt-pt"],
    ["en-GB", "en-gb"],
    ["en-AU", "en"],
    ["no", "nb"],
    ["vi", "vi"],
    ["sw", null],
  ])("maps the locale %s to the search language %s", (locale, sent) => {
    expect(parameter(brave, "search_lang", { locale })).toBe(sent);
  });

  it("filters adult content on demand", () => {
    expect(parameter(brave, "safesearch", { safe: true })).toBe("strict");
    expect(parameter(brave, "safesearch", { safe: false })).toBe("off");
    expect(parameter(brave, "safesearch", { safe: true }, "images")).toBe("strict");
  });

  it("cuts the query to 50 words and 400 characters", () => {
    expect(parameter(brave, "q", { query: "ab ".repeat(60) })).toBe("ab ".repeat(50).trim());
    expect(parameter(brave, "q", { query: "abcdefghi ".repeat(45) })).toBe("abcdefghi ".repeat(40).trim());
    expect(parameter(brave, "q", { query: "桥".repeat(500) })).toBe("桥".repeat(400));
  });

  it("asks for as many images as all pages up to the caller's hold", () => {
    expect(parameter(brave, "count", { page: 3, num: 20 }, "images")).toBe("60");
    expect(parameter(brave, "count", { page: 30, num: 20 }, "images")).toBe("200");
  });
});

describe("SearXNG's request", () => {
  it("asks the operator's host for JSON", () => {
    const url = urlOf(searxng, { page: 2, safe: true, locale: "de-CH" });
    expect(url.origin + url.pathname).toBe("https://search.example/sub/search");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "old bridge",
      format: "json",
      categories: "general",
      pageno: "2",
      language: "de-CH",
      safesearch: "2",
    });
  });

  it("knows languages by name only, and switches safe search off when it is not wanted", () => {
    expect(parameter(searxng, "language", { locale: "zh-Hant" })).toBe("zh-TW");
    expect(parameter(searxng, "language", { locale: "es-419" })).toBe("es");
    expect(parameter(searxng, "language", { locale: "tlh" })).toBeNull();
    expect(parameter(searxng, "safesearch", { safe: false })).toBe("0");
    expect(parameter(searxng, "categories", {}, "images")).toBe("images");
  });
});

describe("Wikipedia's request", () => {
  it("searches with limit and offset", () => {
    const url = urlOf(wikipedia, { num: 80, page: 3 });
    expect(url.origin + url.pathname).toBe("https://en.wikipedia.org/w/api.php");
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      action: "query",
      list: "search",
      srsearch: "old bridge",
      srlimit: "50",
      sroffset: "100",
      srprop: "snippet",
      format: "json",
      formatversion: "2",
    });
  });

  it.each([
    ["de-DE", "de.wikipedia.org"],
    ["zh-TW", "zh.wikipedia.org"],
    ["nb", "no.wikipedia.org"],
    ["yue", "zh-yue.wikipedia.org"],
    ["tlh", "en.wikipedia.org"],
    ["evil.example/", "en.wikipedia.org"],
    ["constructor", "en.wikipedia.org"],
  ])("turns the locale %s into the host %s", (locale, host) => {
    expect(urlOf(wikipedia, { locale }).host).toBe(host);
  });

  it("keeps the query within 300 bytes and the offset within the index", () => {
    expect(parameter(wikipedia, "srsearch", { query: "桥".repeat(200) })).toBe("桥".repeat(100));
    expect(parameter(wikipedia, "sroffset", { page: 5_000, num: 10 })).toBe("9990");
  });
});

describe("long queries to Google", () => {
  it.each([serpapi, googleCse])("are cut to 2048 encoded characters at $name", (provider) => {
    expect(encodeURIComponent(parameter(provider, "q", { query: "桥".repeat(400) })!)).toHaveLength(2043);
  });

  it("are cut at Serper as well", () => {
    expect(serperBody({ query: "桥".repeat(400) }).q).toBe("桥".repeat(227));
  });
});
