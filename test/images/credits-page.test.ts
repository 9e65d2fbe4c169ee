import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { creditsPage } from "../../src/images/credits-page.ts";
import { manualItem, providerItem } from "../../src/images/provenance.ts";
import { BY_SA, candidate, request } from "./samples.ts";

const SIZE = { width: 3_000, height: 2_000 };
const SELECTION = { status: "sourced", selectionMethod: "metadata-ranked" } as const;
const DETAILS = { slide: "", purpose: "", searchQuery: "", orientation: "", requiredTerms: [] };

const free = providerItem(request({ filename: "free.jpg" }), { candidate: candidate() }, SIZE, SELECTION);
const owing = (more: Parameters<typeof candidate>[0] = {}) =>
  providerItem(
    request({ filename: "owing.jpg" }),
    { candidate: candidate({ license: BY_SA, ...more }) },
    SIZE,
    SELECTION,
  );
const manual = manualItem("own.jpg", "https://example.org/own.jpg", DETAILS, SIZE);
const page = (...items: Parameters<typeof creditsPage>[0]["items"]) =>
  creditsPage({ project: "deck-7", items, missing: new Set() });

describe("CREDITS.md", () => {
  it("says of every image where it came from, and first which of them need a visible credit", () => {
    const text = page(free, owing(), manual);
    expect(text).toMatch(
      /^# Image credits of deck-7\n\nThese need a visible credit wherever they are used:\n\n- owing\.jpg\n\n/,
    );
    expect(text).toContain("settle:\n\n- own.jpg\n\n");
    const [, , section] = text.split("\n## ");
    expect(section).toBe(
      [
        "owing.jpg\n",
        "- Credit: **must be visible** wherever the image is used",
        "- Title: Offshore wind farm",
        "- Author: Jane Doe",
        "- Source: [https://example.org/wikimedia/1](https://example.org/wikimedia/1)",
        "- License: [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/)",
        "- Credit line: © Jane Doe / Wikimedia / CC BY-SA 4.0\n",
      ].join("\n"),
    );
    expect(text).toContain("## free.jpg\n\n- Credit: not required by its license");
    expect(text).toContain("## own.jpg\n\n- Credit: **not verified**; the image was chosen directly");
  });

  it("says that nothing is owed where nothing is", () => {
    expect(page(free)).toContain("No image here needs a visible credit by its license.");
  });

  it("names what is not in the archive", () => {
    const text = creditsPage({ project: "deck-7", items: [free], missing: new Set(["free.jpg"]) });
    expect(text).toContain("## free.jpg\n\n- **The file itself was gone when this archive was made.**");
  });

  it("keeps a title within its line, and out of HTML and links", () => {
    const title = "x\n\n# Free!\n<script>alert(1)</script> [y](javascript:z) ![i](https://evil.example) `c` & **b**";
    const text = page(owing({ title, sourcePageUrl: "javascript:alert(1)" }));
    expect(text.match(/^#+ .*/gm)).toEqual(["# Image credits of deck-7", "## owing.jpg"]);
    expect(text).not.toMatch(/(?<!\\)<|(?<!\\)\]\(javascript|(?<!\\)`/);
    expect(text).toContain("- Source: javascript:alert(1)\n");
  });

  it("has the same lines whatever the words are", () => {
    const shape = (text: string) => text.split("\n").map((line) => /^(?:#+|- \*\*|- [A-Z][a-z ]+:|-)?/.exec(line)![0]);
    const nasty = fc.stringMatching(/^[ \n\r\t#*_`<>[\]()!&|~\\=+.a-z\u2028-]{1,40}$/);
    fc.assert(
      fc.property(nasty, nasty, (title, author) => {
        fc.pre(title.trim() !== "" && author.trim() !== "");
        expect(shape(page(owing({ title, author })))).toEqual(shape(page(owing())));
      }),
    );
  });
});
