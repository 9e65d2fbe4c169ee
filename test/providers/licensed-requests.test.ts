import { describe, expect, it } from "vitest";
import { openverse } from "../../src/providers/openverse.ts";
import { pexels } from "../../src/providers/pexels.ts";
import { pixabay } from "../../src/providers/pixabay.ts";
import type { LicensedImageQuery, Orientation, Provider } from "../../src/providers/types.ts";
import { wikimedia } from "../../src/providers/wikimedia.ts";
import { pictures } from "./replies.ts";

function urlOf(provider: Provider, facts: Partial<LicensedImageQuery> = {}): URL {
  return new URL(provider.licensedImages!.request(pictures(facts), { key: "k-1" }).url);
}

function parameter(provider: Provider, name: string, facts: Partial<LicensedImageQuery>) {
  return urlOf(provider, facts).searchParams.get(name);
}

describe("Pexels' request", () => {
  it("sends the bare key in a header, and no `size`", () => {
    const request = pexels.licensedImages!.request(pictures({ num: 200, page: 2 }), { key: "k-1" });
    expect(request.headers).toMatchObject({ authorization: "k-1" });
    const url = new URL(request.url);
    expect(url.origin + url.pathname).toBe("https://api.pexels.com/v1/search");
    expect(Object.fromEntries(url.searchParams)).toEqual({ query: "old bridge", page: "2", per_page: "80" });
  });

  it.each([
    ["old bridge", "de-AT", "de-DE"],
    ["old bridge", "pt", "pt-BR"],
    ["old bridge", "hi-IN", null],
    ["old bridge", "zh-CN", null],
    ["老桥", undefined, "zh-CN"],
    ["老桥", "en-US", "zh-CN"],
    ["老橋", "zh-TW", "zh-TW"],
    ["古い橋", "en", "ja-JP"],
    ["橋", "ja", "ja-JP"],
    ["오래된 다리", undefined, "ko-KR"],
  ])("asks for %s of a reader of %s with locale %s", (query, locale, sent) => {
    expect(parameter(pexels, "locale", { query, ...(locale === undefined ? {} : { locale }) })).toBe(sent);
  });

  it("cuts the query to 200 characters", () => {
    expect(parameter(pexels, "query", { query: "bridge ".repeat(60) })).toBe("bridge ".repeat(28).trim());
  });
});

describe("Pixabay's request", () => {
  it("asks for photographs that everyone may see", () => {
    const url = urlOf(pixabay, { num: 500 });
    expect(url.origin + url.pathname).toBe("https://pixabay.com/api/");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      key: "k-1",
      q: "old bridge",
      image_type: "photo",
      page: "1",
      per_page: "200",
      safesearch: "true",
    });
  });

  it("never asks for fewer than three", () => {
    expect(parameter(pixabay, "per_page", { num: 1 })).toBe("3");
    expect(parameter(pixabay, "per_page", { num: 2 })).toBe("4");
    expect(parameter(pixabay, "page", { num: 1, page: 3 })).toBe("1");
    expect(parameter(pixabay, "page", { num: 1, page: 4 })).toBe("2");
  });

  it.each([
    ["老桥", undefined, "zh"],
    ["old bridge", "nb-NO", "no"],
    ["old bridge", "uk", null],
    ["old bridge", "ja", null],
  ])("asks for %s of a reader of %s in language %s", (query, locale, sent) => {
    expect(parameter(pixabay, "lang", { query, ...(locale === undefined ? {} : { locale }) })).toBe(sent);
  });

  it("cuts the query to 100 characters at a word", () => {
    expect(parameter(pixabay, "q", { query: "bridge ".repeat(20) })).toBe("bridge ".repeat(14).trim());
  });
});

describe("Openverse's request", () => {
  it("keeps to what anonymous clients may ask, and sends no `size`", () => {
    const url = urlOf(openverse, { num: 80, page: 2 });
    expect(url.origin + url.pathname).toBe("https://api.openverse.org/v1/images/");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: "old bridge",
      page: "2",
      page_size: "20",
      license: "by,by-sa,cc0,pdm",
    });
  });

  it("asks for licenses without attribution where the caller is strict", () => {
    expect(parameter(openverse, "license", { strictNoAttribution: true })).toBe("cc0,pdm");
  });

  it("never asks deeper than 240 works", () => {
    expect(parameter(openverse, "page", { num: 20, page: 13 })).toBe("12");
  });
});

describe("Wikimedia Commons' request", () => {
  it("searches bitmaps and asks for all that a license gate needs", () => {
    const url = urlOf(wikimedia, { num: 70, page: 2 });
    expect(url.origin + url.pathname).toBe("https://commons.wikimedia.org/w/api.php");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      action: "query",
      format: "json",
      formatversion: "2",
      generator: "search",
      gsrnamespace: "6",
      gsrsearch: "old bridge filetype:bitmap",
      gsrlimit: "50",
      gsroffset: "50",
      prop: "imageinfo",
      iiprop: "url|size|extmetadata|mime|user",
      iiurlwidth: "960",
      iiextmetadatafilter: "LicenseShortName|License|LicenseUrl|Artist|Credit|Attribution",
    });
  });

  it("keeps the search within 300 bytes, the suffix included", () => {
    const sent = parameter(wikimedia, "gsrsearch", { query: "桥".repeat(200) })!;
    expect(sent).toBe(`${"桥".repeat(94)} filetype:bitmap`);
  });
});

describe("orientation", () => {
  it.each<[Orientation, string | null, string | null, string | null]>([
    ["any", null, null, null],
    ["landscape", "landscape", "horizontal", "wide"],
    ["portrait", "portrait", "vertical", "tall"],
    ["square", "square", null, "square"],
  ])("%s is %s at Pexels, %s at Pixabay, %s at Openverse", (orientation, atPexels, atPixabay, atOpenverse) => {
    expect(parameter(pexels, "orientation", { orientation })).toBe(atPexels);
    expect(parameter(pixabay, "orientation", { orientation })).toBe(atPixabay);
    expect(parameter(openverse, "aspect_ratio", { orientation })).toBe(atOpenverse);
  });
});
