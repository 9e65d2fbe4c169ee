import { describe, expect, it } from "vitest";
import { bodyOfRows, bodyOfText, pointerWords } from "../../ui/client/batch-input.ts";

const OPTIONS = { save_candidates: true, concurrency: 3 };

describe("rows of the editor", () => {
  it("become items that say only what was filled in", () => {
    const rows = [
      { filename: " alps.jpg ", query: "french alps", required_terms: "", orientation: "any" },
      { filename: "b.jpg", query: "square", required_terms: "Chongqing|重庆, Jiefangbei", orientation: "landscape" },
    ];
    expect(bodyOfRows(rows, OPTIONS)).toEqual({
      items: [
        { filename: "alps.jpg", query: "french alps", status: "Pending" },
        {
          filename: "b.jpg",
          query: "square",
          required_terms: ["Chongqing|重庆", "Jiefangbei"],
          orientation: "landscape",
          status: "Pending",
        },
      ],
      options: OPTIONS,
    });
  });
});

describe("the text of an image_queries.json", () => {
  it("keeps what its author put there, and its own options go before those of the form", () => {
    const text = JSON.stringify({ deck: "seven", items: [{ filename: "a.jpg" }], options: { concurrency: 1 } });
    expect(bodyOfText(text, OPTIONS)).toEqual({
      body: { deck: "seven", items: [{ filename: "a.jpg" }], options: { save_candidates: true, concurrency: 1 } },
    });
  });

  it.each(["", "   ", "{", "[1]", "null", '"text"'])("says what is wrong with %j", (text) => {
    expect(bodyOfText(text, OPTIONS)).toHaveProperty("fault");
  });
});

describe("a JSON pointer in words", () => {
  it.each([
    ["/items/0/filename", "Row 1, filename"],
    ["/items/11/required_terms/0", "Row 12, required terms"],
    ["/items/2", "Row 3"],
    ["/options/concurrency", "Options, concurrency"],
    ["/items", "/items"],
    ["", "The file"],
  ])("%s is %s", (pointer, words) => {
    expect(pointerWords(pointer)).toBe(words);
  });
});
