import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Inline, parseMarkdown } from "../../ui/client/markdown.ts";

/** Every character that a reader sees, and every address that can be followed. */
function seen(blocks: readonly Block[]): { text: string; urls: string[] } {
  const urls: string[] = [];
  const inline = (parts: readonly Inline[]): string =>
    parts
      .map((part) => {
        if (part.kind === "link") urls.push(part.url);
        if (part.kind === "break") return "\n";
        return part.kind === "text" || part.kind === "code" ? part.text : inline(part.content);
      })
      .join("");
  const text = blocks
    .map((block) => {
      if (block.kind === "rule") return "";
      if (block.kind === "code") return block.text;
      return block.kind === "list" ? block.items.map(inline).join("\n") : inline(block.content);
    })
    .join("\n");
  return { text, urls };
}

describe("the markdown of answers", () => {
  it("knows paragraphs, headings, lists, code, bold, emphasis and rules", () => {
    const text =
      "# Cats\n\nThey **walk**\nand *trot*.\n\n- one\n- `two`\n\n1. first\n2. second\n\n---\n\n```js\na < b\n```";
    expect(parseMarkdown(text)).toEqual([
      { kind: "heading", content: [{ kind: "text", text: "Cats" }] },
      {
        kind: "paragraph",
        content: [
          { kind: "text", text: "They " },
          { kind: "strong", content: [{ kind: "text", text: "walk" }] },
          { kind: "break" },
          { kind: "text", text: "and " },
          { kind: "emphasis", content: [{ kind: "text", text: "trot" }] },
          { kind: "text", text: "." },
        ],
      },
      {
        kind: "list",
        ordered: false,
        items: [[{ kind: "text", text: "one" }], [{ kind: "code", text: "two" }]],
      },
      {
        kind: "list",
        ordered: true,
        items: [[{ kind: "text", text: "first" }], [{ kind: "text", text: "second" }]],
      },
      { kind: "rule" },
      { kind: "code", text: "a < b" },
    ]);
  });

  it("follows links to the web only", () => {
    const text =
      "[a](https://a.example/x) [b](javascript:alert(1)) [c](data:text/html,x) [d](/own) see https://e.example/y.";
    expect(seen(parseMarkdown(text)).urls).toEqual(["https://a.example/x", "https://e.example/y"]);
  });

  it("refuses addresses that carry a user, which make one host look like another", () => {
    expect(seen(parseMarkdown("[bank](https://bank.example@evil.example/)")).urls).toEqual([]);
  });

  it("leaves HTML as the text that it is", () => {
    const text = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
    expect(parseMarkdown(text)).toEqual([{ kind: "paragraph", content: [{ kind: "text", text }] }]);
  });

  it("shows a code block whose end has not come yet", () => {
    expect(parseMarkdown("```\nlet a = 1;")).toEqual([{ kind: "code", text: "let a = 1;" }]);
  });

  it("loses no word of any text and links nowhere but to the web", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "**",
        "*",
        "`",
        "```",
        "\n",
        "- ",
        "1. ",
        "# ",
        "[",
        "](",
        ")",
        "https://a.example ",
        "javascript:x",
        "---",
      ),
      fc.constantFrom("cat", "dog", "Straße", "重庆"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const source = pieces.join("");
        const { text, urls } = seen(parseMarkdown(source));
        // What follows a fence on its line names a language, and the target of a link stands in the link.
        const prose = source.replaceAll(/^ {0,3}```.*$/gm, "").replaceAll(/\]\(\S*?\)/g, "");
        for (const word of ["cat", "dog", "Straße", "重庆"]) {
          expect(text.split(word).length).toBeGreaterThanOrEqual(prose.split(word).length);
        }
        for (const url of urls) expect(url).toMatch(/^https?:\/\//);
      }),
    );
  });

  it("takes hostile nesting in its stride", () => {
    const started = "*".repeat(20_000) + "[".repeat(20_000) + "`".repeat(20_000);
    expect(seen(parseMarkdown(started)).text.length).toBeGreaterThan(0);
  });
});
