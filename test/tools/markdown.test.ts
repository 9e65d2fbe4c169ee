import { describe, expect, it } from "vitest";
import type { ReverseFinding } from "../../src/providers/types.ts";
import { sorted } from "../../src/reverse/matches.ts";
import { reverseSummary } from "../../src/reverse/summary.ts";
import {
  imagesMarkdown,
  noImagesMarkdown,
  noRepositoriesMarkdown,
  noReverseMarkdown,
  noWebMarkdown,
  repositoriesMarkdown,
  reverseMarkdown,
  webMarkdown,
} from "../../src/tools/markdown.ts";

const clean = (text: string) => text.replaceAll(/\s+/g, " ").trim();
const VI = { language: "vi", clean } as const;
const EN = { language: "en", clean } as const;

const PAGES = [
  { title: "Giá vàng hôm nay", snippet: "Vàng tăng nhẹ.", link: "https://a.example/1" },
  { title: "Gold today", snippet: "", link: "https://b.example/2" },
];

describe("web results", () => {
  it("stand under the engine that gave them", () => {
    expect(webMarkdown(PAGES, ["google"], false, VI)).toBe(
      "🔍 **Google Search — Kết quả thực tế:**\n\n" +
        "**Giá vàng hôm nay**\nVàng tăng nhẹ.\n🔗 https://a.example/1\n\n---\n\n" +
        "**Gold today**\n🔗 https://b.example/2",
    );
    expect(webMarkdown(PAGES.slice(1), ["baidu"], false, EN)).toBe(
      "🔍 **Baidu Search — Actual results:**\n\n**Gold today**\n🔗 https://b.example/2",
    );
    expect(webMarkdown(PAGES.slice(1), ["brave"], false, VI)).toContain("🔍 **Brave Search — Kết quả thực tế:**");
    expect(webMarkdown(PAGES.slice(1), ["google", "bing"], false, VI)).toContain(
      "🔍 **Google + Bing Search — Kết quả thực tế:**",
    );
  });

  it("have the heading of Google's search API when they came from there", () => {
    expect(webMarkdown(PAGES.slice(1), ["google"], true, VI)).toBe(
      "🔍 **Kết quả tìm kiếm web (real-time):**\n\n**Gold today**\n🔗 https://b.example/2",
    );
    expect(webMarkdown(PAGES.slice(1), ["google"], true, EN)).toContain("🔍 **Web search results (real-time):**\n\n");
  });

  it("say who has none", () => {
    expect(noWebMarkdown("bing", VI)).toBe("🔍 Không tìm thấy kết quả từ Bing.");
    expect(noWebMarkdown("google", EN)).toBe("🔍 No results from Google.");
  });

  it("stay one item when a title or snippet has lines of its own", () => {
    const broken = [{ title: "a\nb", snippet: "c\n\n---\n\nd", link: "https://a.example/" }];
    expect(webMarkdown(broken, ["google"], false, VI)).not.toContain("\n---\n");
  });
});

describe("image results", () => {
  const rows = [
    { title: "Alps", source: "Example", imageUrl: "https://a.example/1.jpg" },
    { title: "", source: "", imageUrl: "https://a.example/2.jpg" },
  ];
  it("stand under the engine's id", () => {
    expect(imagesMarkdown(rows, "google_images_light", "núi tuyết", VI)).toBe(
      "🖼️ **google_images_light — 'núi tuyết'** (2):\n" +
        "**#1** Alps (Example)\n📎 https://a.example/1.jpg\n\n" +
        "**#2** (không tiêu đề)\n📎 https://a.example/2.jpg",
    );
    expect(imagesMarkdown(rows.slice(1), "openverse", "snow", EN)).toBe(
      "🖼️ **openverse — 'snow'** (1):\n**#1** (no title)\n📎 https://a.example/2.jpg",
    );
  });
  it("say what was not found", () => {
    expect(noImagesMarkdown("núi", VI)).toBe("🖼️ Không tìm thấy ảnh cho: núi");
    expect(noImagesMarkdown("snow", EN)).toBe("🖼️ No images found for: snow");
  });
});

describe("repositories", () => {
  it("show stars and language, and no `None` where there is none", () => {
    const rows = [
      {
        name: "honojs/hono",
        description: "Web framework",
        stars: 25_000,
        language: "TypeScript",
        url: "https://g.example/1",
      },
      { name: "a/b", description: "", stars: 0, language: "", url: "https://g.example/2" },
    ];
    expect(repositoriesMarkdown(rows, VI)).toBe(
      "🐙 **GitHub Repositories:**\n\n" +
        "**honojs/hono** ⭐ 25000\nWeb framework\n💻 TypeScript | 🔗 https://g.example/1\n\n---\n\n" +
        "**a/b** ⭐ 0\n💻 🔗 https://g.example/2",
    );
    expect(noRepositoriesMarkdown(VI)).toBe("Không tìm thấy repository nào.");
    expect(noRepositoriesMarkdown(EN)).toBe("No repository found.");
  });
});

const match = (number: number) => ({
  title: `T${number}`,
  link: `https://m.example/${number}`,
  source: "Site",
});
const finding = (more: Partial<ReverseFinding>): ReverseFinding => ({ matches: [], total: 0, ...more });

describe("reverse image results", () => {
  it("of Lens show prices, and count what is not shown", () => {
    const matches = [{ ...match(1), price: "$260" }, ...[2, 3, 4, 5, 6, 7].map(match)];
    const text = reverseMarkdown("google_lens", finding({ matches, total: 31 }), VI);
    expect(text.split("\n\n").slice(0, 2).join("\n\n")).toBe(
      "🔍 **Google Lens — Visual Matches** (31 kết quả):\n" +
        "**#1** [Site] T1 — 💰 $260\n🔗 https://m.example/1\n\n" +
        "**#2** [Site] T2\n🔗 https://m.example/2",
    );
    expect(text).toContain("**#6**");
    expect(text).not.toContain("**#7**");
    expect(reverseMarkdown("google_lens", finding({ matches, total: 31 }), EN)).toContain("(31 results):\n");
  });

  it("of Google reverse begin with the knowledge, which is a result of its own", () => {
    const knowledge = { title: "Cat", description: "A small animal" };
    expect(
      reverseMarkdown("google_reverse_image", finding({ knowledge, matches: [{ ...match(1), snippet: "S" }] }), VI),
    ).toBe(
      "🔍 **Google Reverse Image:**\n**🧠 Knowledge Graph:** Cat — A small animal\n\n---\n\n" +
        "**#1** T1\nS\n🔗 https://m.example/1",
    );
    expect(reverseMarkdown("google_reverse_image", finding({ knowledge }), EN)).toBe(
      "🔍 **Google Reverse Image:**\n**🧠 Knowledge Graph:** Cat — A small animal",
    );
  });

  it("of Yandex and Bing name the site", () => {
    const matches = [match(1), { ...match(2), source: "" }];
    const items = "**#1** T1 (Site)\n🔗 https://m.example/1\n\n---\n\n**#2** T2\n🔗 https://m.example/2";
    expect(reverseMarkdown("yandex_images", finding({ matches }), VI)).toBe(`🔍 **Yandex Images Reverse:**\n${items}`);
    expect(reverseMarkdown("bing_reverse_image", finding({ matches }), VI)).toBe(
      `🔍 **Bing Reverse Image:**\n${items}`,
    );
  });

  it("of SauceNAO show similarity, author, three links and what is left of the allowance", () => {
    const links = [1, 2, 3, 4].map((number) => `https://m.example/${number}`);
    const matches = [
      { ...match(1), similarity: 95.2, author: "Jane", links },
      { title: "", link: "", source: "", similarity: 41 },
    ];
    const found = finding({ matches, total: 2, remaining: { short: 3, long: 97 } });
    expect(reverseMarkdown("saucenao", found, VI)).toBe(
      "🔍 **SauceNAO — Kết quả tìm kiếm ảnh** (2 nguồn)\n" +
        "**#1** — 95.2% tương đồng\n📌 **T1**\n🎨 Tác giả: Jane\n" +
        "  🔗 https://m.example/1\n  🔗 https://m.example/2\n  🔗 https://m.example/3\n\n---\n\n" +
        "**#2** — 41.0% tương đồng\n📌 **Không rõ**\n🎨 Tác giả: N/A\n  (không có link)\n\n" +
        "⏳ Còn lại: 3/30s · 97/ngày",
    );
    expect(reverseMarkdown("saucenao", found, EN)).toBe(
      "🔍 **SauceNAO — Image search results** (2 sources)\n" +
        "**#1** — 95.2% similar\n📌 **T1**\n🎨 Author: Jane\n" +
        "  🔗 https://m.example/1\n  🔗 https://m.example/2\n  🔗 https://m.example/3\n\n---\n\n" +
        "**#2** — 41.0% similar\n📌 **Unknown**\n🎨 Author: N/A\n  (no link)\n\n" +
        "⏳ Left: 3/30s · 97/day",
    );
  });

  it("say that nobody has any", () => {
    expect(noReverseMarkdown("any", VI)).toBe("🔍 Không tìm thấy kết quả reverse image từ bất kỳ nguồn nào.");
    expect(noReverseMarkdown("any", EN)).toBe("🔍 No reverse image results from any source.");
    expect(noReverseMarkdown("saucenao", VI)).toBe("🔍 Không tìm thấy kết quả nào trên SauceNAO.");
    expect(noReverseMarkdown("saucenao", EN)).toBe("🔍 No results on SauceNAO.");
  });
});

describe("the summary of a collected reverse search", () => {
  const findings = [
    {
      engine: "saucenao",
      finding: finding({
        matches: [
          { ...match(1), similarity: 95.2, author: "Jane" },
          { ...match(2), similarity: 61 },
        ],
      }),
    },
    {
      engine: "google_lens",
      finding: finding({ matches: [match(3), match(1)], knowledge: { title: "Cat", description: "Animal" } }),
    },
    { engine: "yandex_images", finding: finding({ matches: [match(4), match(3)] }) },
  ] as const;

  it("names knowledge, sources and similar images, each page once", () => {
    expect(reverseSummary(sorted(findings), VI)).toBe(
      "🧠 **Knowledge Graph:** Cat — Animal\n\n\n" +
        "🔍 **Nguồn tìm thấy** (2 kết quả):\n\n\n" +
        "**#1** [saucenao] — 95.2% match | 🎨 Jane\n📌 **T1**\n🔗 https://m.example/1\n\n" +
        "**#2** [google_lens] | 🎨 Site\n📌 **T3**\n🔗 https://m.example/3\n\n\n" +
        "🖼️ **Ảnh tương tự** (2 kết quả):\n\n" +
        "**#1** T2\n🔗 https://m.example/2\n\n**#2** T4\n🔗 https://m.example/4",
    );
    const english = reverseSummary(sorted(findings), EN);
    expect(english).toContain("🔍 **Sources found** (2 results):");
    expect(english).toContain("🖼️ **Similar images** (2 results):");
  });

  it("says that nothing was found", () => {
    const nothing = sorted([]);
    expect(reverseSummary(nothing, VI)).toBe("🔍 Không tìm thấy kết quả reverse image từ bất kỳ nguồn nào.");
    expect(reverseSummary(nothing, EN)).toBe("🔍 No reverse image results from any source.");
  });

  it("puts weak matches of SauceNAO among the similar images", () => {
    const { sources, similar } = sorted(findings);
    expect(sources.map(({ title }) => title)).toEqual(["T1", "T3"]);
    expect(similar[0]).toEqual({
      title: "T2",
      author: "",
      url: "https://m.example/2",
      thumbnail: null,
      similarity: 61,
      source_engine: "saucenao",
    });
    expect(similar[1]?.source_engine).toBe("yandex");
  });

  it("cuts knowledge at 300 characters and survives one without a description", () => {
    const long = { title: "T", description: "x".repeat(400) };
    expect(sorted([{ engine: "google_lens", finding: finding({ knowledge: long }) }]).knowledge).toHaveLength(300);
    const short = { title: "T", description: "" };
    expect(sorted([{ engine: "google_lens", finding: finding({ knowledge: short }) }]).knowledge).toBe("T");
  });
});
