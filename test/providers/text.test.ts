import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../src/providers/text.ts";

describe("plainText", () => {
  it.each([
    ["highlight marks", "The <strong>old</strong> bridge", "The old bridge"],
    ["marks inside a word without spaces", "重庆<em>解放碑</em>夜景", "重庆解放碑夜景"],
    ["line breaks and blocks", "one<br/>two<p>three</p>four", "one two three four"],
    [
      "entities, named and numbered",
      "Caf&eacute; &amp; bar &#8211; &#x4e2d; &quot;x&quot; it&#39;s",
      'Café & bar – 中 "x" it\'s',
    ],
    ["an address with parameters", "/a?x=1&copy=2&lt=3", "/a?x=1&copy=2&lt=3"],
    ["markup that was encoded once more", "&lt;b onclick=&quot;x&quot;&gt;bold&lt;/b&gt;", "bold"],
    ["a tag inside a tag", "<<b>script>alert(1)</script>", "alert(1)"],
    ["scripts and styles with their content", "<style>.a{}</style>Ann<script>x()</script>", "Ann"],
    ["what a page hides", 'Unknown author<span style="display: none;">Unknown author</span>', "Unknown author"],
    ["comparisons", "if 3 < 5 and 7 > 2", "if 3 < 5 and 7 > 2"],
    ["whitespace of all kinds", "  a\t\n b\u00a0\u3000c\u2028d ", "a b c d"],
    [
      "zero-width, bidirectional and control characters",
      "a\u200bb\u202ec\u2066d\u0007e\ufefff\u00adg\u0000h",
      "abcdefgh",
    ],
    ["half a surrogate pair", "a\ud83db", "ab"],
  ])("makes plain text of %s", (_, markup, text) => {
    expect(plainText(markup)).toBe(text);
  });

  it("never leaves a tag, a line break or an invisible character", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "b",
      "/",
      "&lt;",
      "&gt;",
      "&amp;",
      "script",
      " ",
      "\n",
      "\u200f",
      "é",
      "\ud800",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = plainText(pieces.join(""));
        expect(text).not.toMatch(/<[a-z/!?][^<>]*>|[\p{Cc}\p{Cf}\p{Cs}]|^\s|\s$/iu);
      }),
    );
  });

  it("stays quick on a hostile megabyte", () => {
    const hostile = "<<b>".repeat(250_000);
    expect(plainText(hostile).length).toBeLessThanOrEqual(10_000);
  });
});
