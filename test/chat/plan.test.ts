import { describe, expect, it } from "vitest";
import { planOf } from "../../src/chat/plan.ts";
import { chatRequestSchema } from "../../src/chat/request.ts";

const TOOLS = ["google-search", "serpapi-bing", "saucenao", "reverse-image", "deep-research"];
const IMAGE = "data:image/png;base64,AAAA";

function plan({ images = [], ...body }: Record<string, unknown> & { images?: string[] }) {
  return planOf({ ...chatRequestSchema(TOOLS).parse({ language: "en", ...body }), images });
}

describe("which tools run", () => {
  it("are the chosen ones, and what the message asks for behind them", () => {
    expect(plan({ message: "cat", tools: ["saucenao"] }).tools).toEqual(["saucenao"]);
    expect(plan({ message: "cat price", tools: ["saucenao"] }).tools).toEqual(["saucenao", "google-search"]);
    expect(plan({ message: "find source", images: [IMAGE] }).tools).toEqual(["reverse-image"]);
  });

  it("do not pay for the web twice", () => {
    for (const tool of ["serpapi-bing", "deep-research"]) {
      expect(plan({ message: "cat price", tools: [tool] }).tools).toEqual([tool]);
    }
    expect(plan({ message: "find source", images: [IMAGE], tools: ["saucenao"] }).tools).toEqual(["saucenao"]);
    expect(plan({ message: "cat", tools: ["saucenao", "saucenao"] }).tools).toEqual(["saucenao"]);
  });

  it("are the chosen ones alone with `never`, and at least the web with `always`", () => {
    expect(plan({ message: "cat price", tools: ["saucenao"], search: "never" }).tools).toEqual(["saucenao"]);
    expect(plan({ message: "a poem", search: "always" }).tools).toEqual(["google-search"]);
  });
});

describe("what they are asked", () => {
  it("is the message on one line, without code, cut at a word", () => {
    expect(plan({ message: "fix\n```js\nconst a = 1;\n```\nthis" }).input.query).toBe("fix this");
    expect(plan({ message: "```\nonly code\n```" }).input.query).toContain("only code");
    const { query } = plan({ message: "word ".repeat(200) }).input;
    expect(query.length).toBeLessThanOrEqual(400);
    expect(query).toMatch(/word$/);
  });

  it.each([
    ["see https://a.example/b.jpg, please", "https://a.example/b.jpg"],
    ["(https://a.example/b.png?w=1).", "https://a.example/b.png?w=1"],
    ["https://a.example/page and https://a.example/c.webp", "https://a.example/c.webp"],
    ["https://a.example/picture", "https://a.example/picture"],
    ["http://127.0.0.1/b.jpg", undefined],
    ["http://metadata.internal/b.jpg then https://a.example/b.gif", "https://a.example/b.gif"],
    ["no address", undefined],
  ])("finds the image in %j", (message, url) => {
    expect(plan({ message }).input.imageUrl).toBe(url);
  });

  it("goes to engines of the language's own region", () => {
    expect(plan({ message: "giá vàng", language: "vi" }).input).toMatchObject({ locale: "vi", country: "vn" });
    const { input } = plan({ message: "gold price" });
    expect(input).toMatchObject({ locale: "en" });
    expect(input.country).toBeUndefined();
  });

  it("takes an attachment before an address that is no image's", () => {
    const { input } = plan({ message: "https://a.example/page", images: [IMAGE] });
    expect(input).toMatchObject({ imageData: IMAGE });
    expect(input.imageUrl).toBeUndefined();
  });
});
