import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/cascade/outcome.ts";
import { brave } from "../../src/providers/brave.ts";
import { googleCse } from "../../src/providers/google-cse.ts";
import { searxng } from "../../src/providers/searxng.ts";
import { serpapi } from "../../src/providers/serpapi.ts";
import { serper } from "../../src/providers/serper.ts";
import type { Provider, SearchQuery } from "../../src/providers/types.ts";
import { wikipedia } from "../../src/providers/wikipedia.ts";
import { reply, search } from "./replies.ts";

function web(provider: Provider, body: unknown, facts: Partial<SearchQuery> = {}): readonly unknown[] {
  return resultsIn(provider.web!.read(reply(200, body), search(facts)));
}

function images(provider: Provider, body: unknown, facts: Partial<SearchQuery> = {}): readonly unknown[] {
  return resultsIn(provider.images!.read(reply(200, body), search(facts)));
}

function resultsIn(outcome: Outcome<unknown>): readonly unknown[] {
  if (outcome.kind === "failed") throw new Error(outcome.detail);
  return outcome.kind === "hit" ? outcome.results : [];
}

const success = { search_metadata: { status: "Success" } };

describe("web results", () => {
  it("of SerpAPI carry the site's name and the date", () => {
    const item = {
      title: "Old &amp; new",
      link: "https://a.test/x",
      snippet: "<b>S</b>",
      source: "A Site",
      date: "3 days ago",
    };
    expect(web(serpapi, { ...success, organic_results: [item] })).toEqual([
      { title: "Old & new", link: "https://a.test/x", snippet: "S", source: "A Site", date: "3 days ago" },
    ]);
  });

  it("of Google Custom Search carry the site's host", () => {
    const item = { title: "T", link: "https://www.a.test/x", displayLink: "www.a.test", snippet: "one\ntwo" };
    expect(web(googleCse, { items: [item] })).toEqual([
      { title: "T", link: "https://www.a.test/x", snippet: "one two", source: "www.a.test" },
    ]);
  });

  it("of Serper take the host as the source", () => {
    expect(
      web(serper, { organic: [{ title: "T", link: "https://a.test/x", snippet: "S", date: "Mar 3, 2026" }] }),
    ).toEqual([{ title: "T", link: "https://a.test/x", snippet: "S", source: "a.test", date: "Mar 3, 2026" }]);
  });

  it("of Brave lose their highlight marks", () => {
    const item = {
      title: "T",
      url: "https://a.test/x",
      description: "the <strong>old</strong> bridge",
      age: "2 days ago",
      meta_url: { hostname: "a.test" },
    };
    expect(web(brave, { web: { results: [item] } })).toEqual([
      { title: "T", link: "https://a.test/x", snippet: "the old bridge", source: "a.test", date: "2 days ago" },
    ]);
  });

  it("of SearXNG read `url` and `content`", () => {
    const item = {
      url: "https://a.test/x",
      title: "T",
      content: "S",
      publishedDate: "2026-01-02T00:00:00",
      engine: "bing",
    };
    expect(web(searxng, { results: [item] })).toEqual([
      { title: "T", link: "https://a.test/x", snippet: "S", source: "a.test", date: "2026-01-02T00:00:00" },
    ]);
  });

  it("of Wikipedia link to the edition that was asked", () => {
    const item = {
      title: "Brücke (Dresden)?",
      pageid: 1,
      snippet: 'Die <span class="searchmatch">Brücke</span> &amp; mehr',
    };
    expect(web(wikipedia, { query: { search: [item] } }, { locale: "de-DE" })).toEqual([
      {
        title: "Brücke (Dresden)?",
        link: "https://de.wikipedia.org/wiki/Br%C3%BCcke_(Dresden)%3F",
        snippet: "Die Brücke & mehr",
        source: "Wikipedia",
      },
    ]);
    expect(web(wikipedia, { query: { search: [{ title: "AC/DC: Live" }] } })).toMatchObject([
      { link: "https://en.wikipedia.org/wiki/AC/DC:_Live" },
    ]);
  });

  it("leave out items that cannot be followed, and keep the rest", () => {
    const links = [
      null,
      7,
      "javascript:alert(1)",
      "ftp://a.test/",
      "/relative",
      "https://user:pass@a.test/",
      "https://",
    ];
    const odd = [null, "text", [], {}, ...links.map((link) => ({ title: "x", link }))];
    const good = { title: null, link: "https://a.test/ok", snippet: 5, source: {} };
    expect(web(serpapi, { ...success, organic_results: [...odd, good] })).toEqual([
      { title: "", link: "https://a.test/ok", snippet: "5", source: "a.test" },
    ]);
    expect(web(serper, { organic: odd })).toEqual([]);
  });

  it("have links without hidden characters", () => {
    expect(web(serper, { organic: [{ link: " https://a.test/a b\u202ec " }] })).toMatchObject([
      { link: "https://a.test/a%20b%E2%80%AEc" },
    ]);
  });

  it("are no more than the caller wants", () => {
    const organic = Array.from({ length: 10 }, (_, place) => ({ link: `https://a.test/${place}` }));
    expect(web(serper, { organic }, { num: 3 })).toHaveLength(3);
  });
});

describe("image results", () => {
  it("of SerpAPI need the picture itself", () => {
    const item = {
      title: "T",
      link: "https://a.test/page",
      source: "A Site",
      thumbnail: "data:image/png;base64,AA",
      original: "https://a.test/x.jpg",
      original_width: 800,
      original_height: 600,
    };
    expect(images(serpapi, { ...success, images_results: [{ ...item, original: undefined }, item] })).toEqual([
      {
        title: "T",
        imageUrl: "https://a.test/x.jpg",
        thumbnailUrl: "",
        width: 800,
        height: 600,
        link: "https://a.test/page",
        source: "A Site",
      },
    ]);
  });

  it("of Serper carry claimed sizes only where both are given", () => {
    const item = {
      title: "T",
      imageUrl: "https://a.test/x.jpg",
      thumbnailUrl: "https://t.test/x",
      link: "https://a.test/p",
    };
    const [sized, unsized] = images(serper, {
      images: [
        { ...item, imageWidth: 800, imageHeight: 600, source: "A Site" },
        { ...item, imageWidth: 800, imageHeight: "tall", domain: "a.test" },
      ],
    });
    expect(sized).toMatchObject({ width: 800, height: 600, source: "A Site", thumbnailUrl: "https://t.test/x" });
    expect(unsized).not.toHaveProperty("width");
    expect(unsized).toMatchObject({ source: "a.test" });
  });

  it("of Brave stand in `properties`", () => {
    const item = {
      title: "T",
      url: "https://a.test/page",
      source: "a.test",
      thumbnail: { src: "https://imgs.test/t" },
      properties: { url: "https://a.test/x.jpg" },
    };
    expect(images(brave, { results: [item] })).toEqual([
      {
        title: "T",
        imageUrl: "https://a.test/x.jpg",
        thumbnailUrl: "https://imgs.test/t",
        link: "https://a.test/page",
        source: "a.test",
      },
    ]);
  });

  it("of Brave are cut to the caller's page, since Brave has none", () => {
    const results = Array.from({ length: 6 }, (_, place) => ({ properties: { url: `https://a.test/${place}.jpg` } }));
    expect(images(brave, { results }, { page: 2, num: 4 })).toMatchObject([
      { imageUrl: "https://a.test/4.jpg" },
      { imageUrl: "https://a.test/5.jpg" },
    ]);
    expect(images(brave, { results }, { page: 3, num: 4 })).toEqual([]);
  });

  it("of SearXNG read `img_src`, also without a scheme", () => {
    const item = {
      url: "https://a.test/page",
      title: "T",
      img_src: "//a.test/x.jpg",
      thumbnail_src: "https://t.test/x",
    };
    expect(images(searxng, { results: [item] })).toEqual([
      {
        title: "T",
        imageUrl: "https://a.test/x.jpg",
        thumbnailUrl: "https://t.test/x",
        link: "https://a.test/page",
        source: "a.test",
      },
    ]);
  });
});

describe("a page beyond a provider's depth", () => {
  const link = { link: "https://a.test/", url: "https://a.test/", original: "https://a.test/x.jpg", title: "T" };

  it("is empty, though the clamped call had results", () => {
    expect(web(googleCse, { items: [link] }, { page: 10 })).toHaveLength(1);
    expect(web(googleCse, { items: [link] }, { page: 11 })).toEqual([]);
    expect(web(brave, { web: { results: [link] } }, { page: 10 })).toHaveLength(1);
    expect(web(brave, { web: { results: [link] } }, { page: 11 })).toEqual([]);
    expect(web(wikipedia, { query: { search: [link] } }, { page: 1_000 })).toHaveLength(1);
    expect(web(wikipedia, { query: { search: [link] } }, { page: 1_001 })).toEqual([]);
    expect(images(serpapi, { ...success, images_results: [link] }, { page: 100 })).toHaveLength(1);
    expect(images(serpapi, { ...success, images_results: [link] }, { page: 101 })).toEqual([]);
  });

  it("still shows that the call failed", () => {
    expect(googleCse.web!.read(reply(500, ""), search({ page: 11 }))).toMatchObject({
      kind: "failed",
      class: "transient",
    });
  });
});
