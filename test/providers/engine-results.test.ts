import { describe, expect, it } from "vitest";
import { github } from "../../src/providers/github.ts";
import { imgbbUpload } from "../../src/providers/imgbb.ts";
import { saucenao } from "../../src/providers/saucenao.ts";
import { serpapi } from "../../src/providers/serpapi.ts";
import type { ReverseFinding, SearchQuery } from "../../src/providers/types.ts";
import { byImage } from "./readers.ts";
import { reply, search } from "./replies.ts";

function findingOf(engine: string, body: object): ReverseFinding {
  const answer = reply(200, { search_metadata: { status: "Success" }, ...body });
  const outcome = { ...serpapi.reverseEngines, ...saucenao.reverseEngines }[engine]!.read(answer, byImage);
  if (outcome.kind !== "hit") throw new Error(outcome.kind);
  expect(outcome.results).toHaveLength(1);
  return outcome.results[0]!;
}

const link = (place: number | string): string => `https://a.test/${place}`;

describe("what Google Lens finds", () => {
  it("starts with pages that have the very image, each page once", () => {
    const finding = findingOf("google_lens", {
      visual_matches: [
        { title: "V1", link: link(1), source: "A", thumbnail: "https://t.test/1", price: { value: "$260*" } },
        { title: "V2", link: link(2), source: "B" },
      ],
      exact_matches: [{ title: "E", link: link(2), source: "B" }],
    });
    expect(finding).toEqual({
      matches: [
        { title: "E", link: link(2), source: "B", exact: true },
        { title: "V1", link: link(1), source: "A", thumbnailUrl: "https://t.test/1", price: "$260" },
      ],
      total: 2,
    });
  });

  it("counts all matches and leaves none out", () => {
    const visual_matches = Array.from({ length: 60 }, (_, place) => ({ title: "T", link: link(place) }));
    expect(findingOf("google_lens", { visual_matches })).toMatchObject({ total: 60 });
  });

  it.each([
    ["an object", { title: "T", description: "D" }, { title: "T", description: "D" }],
    ["a list", [{}, { title: "T", description: "D" }], { title: "T", description: "D" }],
    ["something without a description", { title: "T", description: null }, { title: "T", description: "" }],
  ])("knows what the image shows from %s", (_, knowledge_graph, knowledge) => {
    expect(findingOf("google_lens", { knowledge_graph })).toEqual({ matches: [], total: 0, knowledge });
  });

  it("is kept where the knowledge is none", () => {
    const visual_matches = [{ title: "T", link: link(1) }];
    for (const knowledge_graph of [null, "x", [], [null], { title: null }]) {
      expect(findingOf("google_lens", { visual_matches, knowledge_graph })).toEqual({
        matches: [{ title: "T", link: link(1), source: "a.test" }],
        total: 1,
      });
    }
  });
});

describe("what other engines find by image", () => {
  it("stands at Google in `image_results`, else in `inline_images`", () => {
    const inline_images = [{ title: "I", source: "S", original: link("x.jpg") }];
    const image_results = [{ title: "R", link: link(1), snippet: "800 × 600", source: "S" }];
    expect(findingOf("google_reverse_image", { image_results, inline_images }).matches).toEqual([
      { title: "R", link: link(1), source: "S", snippet: "800 × 600" },
    ]);
    expect(findingOf("google_reverse_image", { inline_images }).matches).toEqual([
      { title: "I", link: link("x.jpg"), source: "S" },
    ]);
  });

  it("stands at Yandex in `image_results`, with pictures in objects or as text", () => {
    const image_results = [
      { title: "A", link: link(1), source: "a.test", thumbnail: { link: "https://t.test/1", width: 1 } },
      { title: "B", source: "b.test", thumbnail: "https://t.test/2", original_image: { link: link("b.jpg") } },
      { title: "C", original_image: link("c.jpg"), thumbnail: {} },
    ];
    expect(findingOf("yandex_images", { image_results, images_results: [{ link: link(9) }] }).matches).toEqual([
      { title: "A", link: link(1), source: "a.test", thumbnailUrl: "https://t.test/1" },
      { title: "B", link: link("b.jpg"), source: "b.test", thumbnailUrl: "https://t.test/2" },
      { title: "C", link: link("c.jpg"), source: "a.test" },
    ]);
  });

  it("has its page at Bing in `source` where `link` leads to the viewer", () => {
    const finding = findingOf("bing_reverse_image", {
      pages_with_this_image: [{ title: "P", link: link(1), source: "A Site" }],
      related_content: [
        { title: "R", link: "https://www.bing.com/images/search?id=1", source: link(2), domain: "a.test" },
      ],
    });
    expect(finding.matches).toEqual([
      { title: "P", link: link(1), source: "A Site", exact: true },
      { title: "R", link: link(2), source: "a.test" },
    ]);
  });
});

describe("what SauceNAO finds", () => {
  const found = (...results: readonly object[]): ReverseFinding =>
    findingOf("saucenao", {
      header: { user_id: 3, status: 0, short_remaining: 3, long_remaining: 97, results_returned: results.length },
      results,
    });
  const authorOf = (data: object): string | undefined => found({ header: {}, data }).matches[0]!.author;
  const titleOf = (data: object): string => found({ header: {}, data }).matches[0]!.title;

  it("has a similarity in numbers, up to three links and what is left", () => {
    const header = {
      similarity: "95.20",
      thumbnail: "https://t.test/1",
      index_name: "Index #5: Pixiv Images - 7_p0.jpg",
    };
    const data = { title: "T", member_name: "M", ext_urls: [1, 2, 3, 4].map(link) };
    expect(found({ header, data })).toEqual({
      matches: [
        {
          title: "T",
          link: link(1),
          source: "Pixiv Images",
          author: "M",
          thumbnailUrl: "https://t.test/1",
          similarity: 95.2,
          links: [link(1), link(2), link(3)],
        },
      ],
      total: 1,
      remaining: { short: 3, long: 97 },
    });
  });

  it("takes the first title that there is", () => {
    expect(titleOf({ material: "m", source: "s", jp_name: "j", eng_name: "e", title: "t" })).toBe("t");
    expect(titleOf({ material: "m", source: "s", jp_name: "j", eng_name: "e", title: null })).toBe("e");
    expect(titleOf({ material: "m", source: "s", jp_name: "j" })).toBe("j");
    expect(titleOf({ material: "m", source: "s" })).toBe("s");
    expect(titleOf({ material: "m" })).toBe("m");
  });

  it.each([
    [{ member_name: "m", creator: "c" }, "m"],
    [{ creator: ["c", "", "d"], author_name: "a" }, "c, d"],
    [{ creator: "c", author_name: "a" }, "c"],
    [{ creator: [], author_name: "a" }, "a"],
    [{ pawoo_user_display_name: "p", company: "f" }, "p"],
    [{ pawoo_user_acct: "p", company: "f" }, "p"],
    [{ company: "f", artist: "x" }, "f"],
    [{ artist: "x" }, "x"],
    [{}, undefined],
  ])("of %o was made by %s", (data, author) => {
    expect(authorOf(data)).toBe(author);
  });

  it("links to a source that is an address where there is no other, and to nothing else", () => {
    expect(found({ header: {}, data: { title: "T", source: link(7) } }).matches[0]).toMatchObject({ link: link(7) });
    expect(found({ header: {}, data: { title: "T", source: "a book" } }).matches[0]).toEqual({
      title: "T",
      link: "",
      source: "",
    });
  });

  it("shows no picture that is marked as hidden", () => {
    const header = { similarity: 61, thumbnail: "https://t.test/1", hidden: 1 };
    const [match] = found({ header, data: { title: "T", ext_urls: [link(1)] } }).matches;
    expect(match).not.toHaveProperty("thumbnailUrl");
    expect(match).toMatchObject({ title: "T", link: link(1), similarity: 61 });
  });
});

describe("repositories", () => {
  const repositories = (items: readonly unknown[], facts: Partial<SearchQuery> = {}) =>
    github.repositories!.read(reply(200, { items }), search(facts));
  const item = { full_name: "a/b", html_url: "https://github.com/a/b", stargazers_count: 7 };

  it("have empty words where GitHub says null", () => {
    expect(repositories([{ ...item, description: null, language: null }, { full_name: "no/address" }])).toEqual({
      kind: "hit",
      results: [{ name: "a/b", description: "", stars: 7, language: "", url: "https://github.com/a/b" }],
    });
  });

  it("end after the thousandth", () => {
    expect(repositories([item], { num: 10, page: 100 })).toMatchObject({ kind: "hit" });
    expect(repositories([item], { num: 10, page: 101 })).toEqual({ kind: "empty" });
  });
});

describe("an upload to ImgBB", () => {
  it("gives the address of the picture", () => {
    const body = { data: { url: "https://i.ibb.co/a/b.png", width: "8" }, success: true, status: 200 };
    expect(imgbbUpload.read(reply(200, body), { base64: "", expiresIn: 60 })).toEqual({
      kind: "hit",
      results: [{ url: "https://i.ibb.co/a/b.png" }],
    });
  });
});
