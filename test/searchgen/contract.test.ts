import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ImageResult } from "../../src/providers/types.ts";
import { normalizedTitle, toImageResults, toWebResults } from "../../src/searchgen/contract.ts";

const image = (more: Partial<ImageResult>): ImageResult => ({
  title: "A cat",
  imageUrl: "https://img.example/1.jpg",
  thumbnailUrl: "https://img.example/1_s.jpg",
  link: "https://example.com/page",
  source: "Example",
  ...more,
});

describe("image results for the SearchGen client", () => {
  it("makes titles distinct as the client compares them", () => {
    const rows = toImageResults(
      ["A Cat!", "a  cat", "A-Cat", "", "!!!"].map((title, index) =>
        image({ title, imageUrl: `https://img.example/${index}.jpg` }),
      ),
      1,
    );
    const keys = rows.map((row) => normalizedTitle(row.title));
    expect(rows).toHaveLength(5);
    expect(new Set(keys).size).toBe(5);
    expect(keys).not.toContain("");
  });

  it("drops what the client refuses unseen, and repeated pictures", () => {
    const urls = [
      "https://img.example/a.jpg",
      "https://img.example/a.jpg",
      "//img.example/b.jpg",
      "/c.jpg",
      "data:image/png;base64,AAAA",
      "https://img.example/d.svg",
      "https://img.example/e.PDF?x=1",
      "ftp://img.example/f.jpg",
    ];
    const rows = toImageResults(
      urls.map((imageUrl) => image({ imageUrl })),
      1,
    );
    expect(rows.map((row) => row.imageUrl)).toEqual(["https://img.example/a.jpg"]);
  });

  it("gives ASCII links with a lower-case scheme", () => {
    const [row] = toImageResults(
      [image({ link: "HTTPS://例え.テスト/写真 ページ?q=猫", imageUrl: "HTTPS://img.example/猫.jpg" })],
      1,
    );
    expect(row!.link).toMatch(/^https:\/\/xn--[\x21-\x7e]+$/);
    expect(row!.imageUrl).toBe("https://img.example/%E7%8C%AB.jpg");
  });

  it("never gives a source that the client would take for a URL", () => {
    const [row] = toImageResults([image({ source: "https://例え.テスト/", link: "" })], 1);
    expect(row!.source).toBe("img.example");
    expect(row!.link).toBe("");
  });

  it("counts positions on over the pages", () => {
    const rows = toImageResults([image({}), image({ imageUrl: "https://img.example/2.jpg" })], 11);
    expect(rows.map((row) => row.position)).toEqual([11, 12]);
  });

  it("holds every rule for any input", () => {
    const text = fc.oneof(fc.string(), fc.webUrl(), fc.constantFrom("", "cat", "Cat!"));
    const anyImage = fc.record({ title: text, imageUrl: text, thumbnailUrl: text, link: text, source: text });
    fc.assert(
      fc.property(fc.array(anyImage, { maxLength: 12 }), (images) => {
        const rows = toImageResults(images, 1);
        for (const row of rows) {
          expect(row.imageUrl).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
          expect(row.link).toMatch(/^$|^https?:\/\/[\x21-\x7e]+$/);
          for (const value of [row.title, row.source, row.thumbnailUrl]) expect(typeof value).toBe("string");
        }
        expect(new Set(rows.map((row) => row.imageUrl)).size).toBe(rows.length);
        expect(new Set(rows.map((row) => normalizedTitle(row.title))).size).toBe(rows.length);
      }),
    );
  });
});

describe("web results for the SearchGen client", () => {
  it("drops rows without a usable link and keeps positions without gaps", () => {
    const row = { title: "T", snippet: "s\n s", source: "", link: "https://example.com/a" };
    const rows = toWebResults(
      [row, { ...row, link: "javascript:alert(1)" }, { ...row, link: "https://b.example/" }],
      1,
    );
    expect(rows).toEqual([
      { title: "T", link: "https://example.com/a", snippet: "s s", source: "example.com", position: 1 },
      { title: "T (b.example)", link: "https://b.example/", snippet: "s s", source: "b.example", position: 2 },
    ]);
  });
});
