import { describe, expect, it } from "vitest";
import { github } from "../../src/providers/github.ts";
import { imgbbUpload } from "../../src/providers/imgbb.ts";
import { saucenao } from "../../src/providers/saucenao.ts";
import { serpapi } from "../../src/providers/serpapi.ts";
import type { ReverseImageQuery, SearchQuery } from "../../src/providers/types.ts";
import { byImage } from "./readers.ts";
import { search } from "./replies.ts";

const credentials = { key: "k-1" };
type Parameters = Readonly<Record<string, string>>;

function bySearch(engine: string, facts: Partial<SearchQuery> = {}): Parameters {
  const capability = { ...serpapi.webEngines, ...serpapi.imageEngines }[engine]!;
  return parametersOf(capability.request(search(facts), credentials).url);
}

function reverse(engine: string, facts: Partial<ReverseImageQuery> = {}): Parameters {
  return parametersOf(serpapi.reverseEngines![engine]!.request({ ...byImage, ...facts }, credentials).url);
}

function parametersOf(url: string): Parameters {
  expect(url).toMatch(/^https:\/\/serpapi\.com\/search\.json\?/);
  const { api_key: key, ...parameters } = Object.fromEntries(new URL(url).searchParams);
  expect(key).toBe("k-1");
  return parameters;
}

describe("Bing's request", () => {
  it("counts results from 1, and names market and safe search in Bing's words", () => {
    expect(bySearch("bing")).toEqual({ engine: "bing", q: "old bridge", safeSearch: "Off" });
    expect(bySearch("bing", { page: 3, safe: true, locale: "de-AT" })).toEqual({
      engine: "bing",
      q: "old bridge",
      mkt: "de-AT",
      safeSearch: "Strict",
      first: "21",
    });
  });

  it.each([
    ["en", "gb", { mkt: "en-GB" }],
    ["nb-NO", undefined, { mkt: "no-NO" }],
    ["zh-Hant-TW", undefined, { mkt: "zh-TW" }],
    ["vi-VN", undefined, { cc: "VN" }],
    ["vi", "vn", { cc: "VN" }],
    [undefined, "vn", { cc: "VN" }],
    ["en", "xx", {}],
    ["en", undefined, {}],
  ])("maps the locale %s and the country %s to %o", (locale, country, expected) => {
    const { mkt, cc } = bySearch("bing", { ...(locale ? { locale } : {}), ...(country ? { country } : {}) });
    expect({ ...(mkt ? { mkt } : {}), ...(cc ? { cc } : {}) }).toEqual(expected);
  });

  it("for images says how many", () => {
    expect(bySearch("bing_images", { num: 30, page: 2, country: "fr", locale: "fr" })).toEqual({
      engine: "bing_images",
      q: "old bridge",
      mkt: "fr-FR",
      safeSearch: "Off",
      count: "30",
      first: "31",
    });
  });
});

describe("Baidu's request", () => {
  it("says how many and from where, and nothing that Baidu does not know", () => {
    expect(bySearch("baidu", { num: 20, page: 2, safe: true, country: "cn", locale: "zh-CN" })).toEqual({
      engine: "baidu",
      q: "old bridge",
      rn: "20",
      pn: "20",
    });
    expect(bySearch("baidu", { num: 80, page: 2 })).toMatchObject({ rn: "50", pn: "50" });
    expect(bySearch("baidu")).not.toHaveProperty("pn");
  });
});

describe("the request of the full Google image search", () => {
  it("counts batches of a hundred, and no result falls between two pages", () => {
    expect(bySearch("google_images", { safe: true, country: "gb", locale: "en" })).toEqual({
      engine: "google_images",
      q: "old bridge",
      gl: "uk",
      hl: "en",
      safe: "active",
    });
    const seen = [1, 2, 3, 4, 5].flatMap((page) => {
      const query = search({ num: 40, page });
      const batch = Number(bySearch("google_images", query).ijn ?? 0);
      const list = Array.from({ length: 100 }, (_, place) => ({
        original: `https://a.test/${batch * 100 + place}.jpg`,
      }));
      const body = JSON.stringify({ search_metadata: { status: "Success" }, images_results: list });
      const reply = { status: 200, headers: new Headers(), body, receivedAt: 0 };
      const outcome = serpapi.imageEngines!.google_images!.read(reply, query);
      return outcome.kind === "hit" ? outcome.results.map(({ imageUrl }) => imageUrl) : [];
    });
    expect(seen).toEqual(Array.from({ length: 180 }, (_, place) => `https://a.test/${place}.jpg`));
  });
});

describe("a search by image", () => {
  const where = { country: "gb", locale: "pt-BR" };

  it("names the image as each engine wants it", () => {
    const { imageUrl } = byImage;
    expect(reverse("google_lens", where)).toEqual({ engine: "google_lens", url: imageUrl, hl: "pt-br", country: "uk" });
    expect(reverse("google_reverse_image", where)).toEqual({
      engine: "google_reverse_image",
      image_url: imageUrl,
      gl: "uk",
      hl: "pt-br",
    });
    expect(reverse("yandex_images", where)).toEqual({ engine: "yandex_images", url: imageUrl });
    expect(reverse("bing_reverse_image", { locale: "de-DE" })).toEqual({
      engine: "bing_reverse_image",
      image_url: imageUrl,
      mkt: "de-DE",
    });
    expect(reverse("bing_reverse_image", where)).not.toHaveProperty("cc");
  });

  it("asks past the cache the second time, and Lens without a country that may hide all", () => {
    for (const engine of Object.keys(serpapi.reverseEngines!)) {
      expect(reverse(engine)).not.toHaveProperty("no_cache");
      expect(reverse(engine, { retry: true })).toMatchObject({ no_cache: "true" });
    }
    expect(reverse("google_lens", { ...where, retry: true })).not.toHaveProperty("country");
  });

  it("at SauceNAO asks all indexes by address", () => {
    const { url } = saucenao.reverseEngines!.saucenao!.request(byImage, credentials);
    expect(url).toMatch(/^https:\/\/saucenao\.com\/search\.php\?/);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      output_type: "2",
      db: "999",
      numres: "8",
      url: byImage.imageUrl,
      api_key: "k-1",
    });
  });
});

describe("GitHub's request", () => {
  const request = (facts: Partial<SearchQuery> = {}, given: { key?: string } = credentials) =>
    github.repositories!.request(search(facts), given.key === undefined ? {} : { key: given.key });

  it("asks for the repositories with most stars, with the token in a header", () => {
    const { url, headers } = request({ num: 5, page: 2 });
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      q: "old bridge",
      sort: "stars",
      order: "desc",
      per_page: "5",
      page: "2",
    });
    expect(headers).toEqual({
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      authorization: "Bearer k-1",
    });
    expect(url).not.toContain("k-1");
  });

  it("sends no empty token, no query that is too long and nothing past the thousandth result", () => {
    expect(request({}, {}).headers).not.toHaveProperty("authorization");
    const { searchParams } = new URL(request({ query: "桥".repeat(400), num: 30, page: 99 }).url);
    expect(searchParams.get("q")).toHaveLength(256);
    expect(searchParams.get("page")).toBe("33");
  });
});

describe("ImgBB's request", () => {
  const form = (expiresIn: number) => {
    const { url, method, body = "" } = imgbbUpload.request({ base64: "a+b/c==", expiresIn }, credentials);
    expect({ url, method }).toEqual({ url: "https://api.imgbb.com/1/upload", method: "POST" });
    return Object.fromEntries(new URLSearchParams(body));
  };

  it("keeps the key out of the address and the picture as it is", () => {
    expect(form(300)).toEqual({ key: "k-1", expiration: "300", image: "a+b/c==" });
  });

  it("never asks for more than ten minutes, nor for less than ImgBB takes", () => {
    expect(form(86_400)).toMatchObject({ expiration: "600" });
    expect(form(0)).toMatchObject({ expiration: "60" });
  });
});
