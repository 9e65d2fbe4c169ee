import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPage } from "../../src/batches/page-credits.ts";
import type { License } from "../../src/images/license.ts";
import { manualItem, type ManifestItem, providerItem } from "../../src/images/provenance.ts";
import { BY_SA, candidate, CC0, request } from "../images/samples.ts";

const BY: License = {
  ...BY_SA,
  name: "CC BY 2.0",
  url: "https://creativecommons.org/licenses/by/2.0/",
  spdx: "CC-BY-2.0",
};
const SIZE = { width: 1280, height: 853 };

function entry(filename: string, author: string, license: License): ManifestItem {
  return providerItem(request({ filename }), { candidate: candidate({ author, license }) }, SIZE, {
    status: "sourced",
    selectionMethod: "metadata-ranked",
  });
}

const JANE = entry("jane.jpg", "Jane Doe", BY_SA);
const JANE_TOO = entry("jane-2.jpg", "Jane Doe", BY_SA);
const JOHN = entry("john.jpg", "John Roe", BY);
const FREE = entry("free.jpg", "Ann", CC0);
const NO_DETAILS = { slide: "", purpose: "", searchQuery: "", orientation: "any", requiredTerms: [] };
const OWN = manualItem("own.png", "https://x.example/own.png", NO_DETAILS, SIZE);
const ALL = [JANE, JANE_TOO, JOHN, FREE, OWN];

const CREDIT = "© Jane Doe / Wikimedia / CC BY-SA 4.0";
const svg = (...parts: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${parts.join("")}</svg>`;
const picture = (href: string) => `<image href="${href}" width="10" height="10"/>`;
const onSvg = (...parts: string[]) => checkPage({ name: "p", svg: svg(...parts) }, ALL);
const onText = (text: string) => checkPage({ name: "p", text }, ALL);
/** With the picture by Jane Doe; what is wrong with it. */
const beside = (...parts: string[]) => onSvg(picture("images/jane.jpg"), ...parts).problems.map(({ detail }) => detail);

describe("which images a page uses", () => {
  it.each([
    ["href", '<image href="images/jane.jpg"/>'],
    ["xlink:href", '<image xlink:href="../images/jane.jpg"/>'],
    ["a prefix", '<svg:image href="jane.jpg"></svg:image>'],
    ["a query", '<image href="https://cdn.example/x/jane.jpg?v=1#top"/>'],
    ["another case", '<image href="images/JANE.JPG"/>'],
    ["percent signs", '<image href="images/j%61ne.jpg"/>'],
    ["backslashes", String.raw`<image href="images\jane.jpg"/>`],
    ["a pattern", '<defs><pattern id="f"><image href="jane.jpg"/></pattern></defs>'],
    ["HTML inside", '<foreignObject><img src="jane.jpg"/></foreignObject>'],
    ["an escape", '<image href="jane&#46;jpg"/>'],
  ])("finds it by %s", (_, part) => {
    expect(onSvg(part).images).toEqual(["jane.jpg"]);
  });

  it("takes neither a picture that lies in the page nor a longer name for it", () => {
    const page = onSvg(
      picture("data:image/png;base64,AAAA"),
      picture("images/not-jane.jpg"),
      '<use href="#jane.jpg"/>',
    );
    expect(page).toMatchObject({ images: [], unlisted: ["not-jane.jpg"], problems: [] });
  });

  it.each([
    ["![x](images/jane.jpg)", true],
    ["see images/jane.jpg.", true],
    ["见jane.jpg图", true],
    ['<img src="j%61ne.jpg">', true],
    ["see images/not-jane.jpg", false],
    ["see jane.jpg_old", false],
    ["Jane and jpg", false],
  ])("in text %s: %s", (text, used) => {
    expect(onText(text).images).toEqual(used ? ["jane.jpg"] : []);
  });
});

describe("a credit that a reader sees", () => {
  it.each([
    ["in one text", `<text>${CREDIT}</text>`],
    ["in capitals", "<text>PHOTO: JANE DOE, CC BY-SA</text>"],
    [
      "in spans",
      '<text><tspan x="0">© Jane</tspan><tspan x="0" dy="12">Doe /</tspan> <tspan>CC BY-SA</tspan> 4.0</text>',
    ],
    ["with a hyphen that does not break", "<text>Jane Doe CC BY\u2011SA 4.0</text>"],
    ["with hyphens throughout", "<text>Jane Doe, cc-by-sa-4.0</text>"],
    ["in escapes", "<text>&#x4A;ane Doe / CC&#160;BY-SA</text>"],
    ["in CDATA", `<text><![CDATA[${CREDIT}]]></text>`],
    ["in HTML inside", `<foreignObject><div>${CREDIT}</div></foreignObject>`],
    ["made visible again", `<g visibility="hidden"><text visibility="visible">${CREDIT}</text></g>`],
    ["painted again", `<g fill="none"><text style="fill: #000">${CREDIT}</text></g>`],
    ["half transparent", `<text opacity="0.5" fill="rgb(0,0,0)">${CREDIT}</text>`],
    ["before the end of a cut file", `<text>${CREDIT}`],
  ])("counts %s", (_, part) => {
    expect(beside(part)).toEqual([]);
  });

  it.each([
    ["display", `<text display="none">${CREDIT}</text>`],
    ["display of a group", `<g style="display:none !important"><text style="display:inline">${CREDIT}</text></g>`],
    ["visibility", `<g visibility="hidden"><text>${CREDIT}</text></g>`],
    ["opacity", `<g opacity="0"><text opacity="1">${CREDIT}</text></g>`],
    ["opacity in per cent", `<text style="opacity: 0%">${CREDIT}</text>`],
    ["fill", `<text fill="none">${CREDIT}</text>`],
    ["an inherited fill", `<g fill="transparent"><text>${CREDIT}</text></g>`],
    ["a fill without alpha", `<text fill="rgba(0, 0, 0, 0)">${CREDIT}</text>`],
    ["fill-opacity", `<g fill-opacity="0"><text fill="#000">${CREDIT}</text></g>`],
    ["font-size", `<text font-size="0">${CREDIT}</text>`],
    ["a part of nothing", `<g font-size="0"><text font-size="2em">${CREDIT}</text></g>`],
    ["defs", `<defs><text>${CREDIT}</text></defs>`],
    ["a symbol", `<symbol><text>${CREDIT}</text></symbol>`],
    ["its title", `<title>${CREDIT}</title><desc>${CREDIT}</desc><metadata>${CREDIT}</metadata>`],
    ["a comment", `<!-- <text>${CREDIT}</text> -->`],
    ["no text element", CREDIT],
    ["an attribute", `<text aria-label="${CREDIT}"/>`],
    ["a style sheet's class", `<text class="a b">${CREDIT}</text><style>.x, .b { display: none }</style>`],
    ["a style sheet's id", `<style>/* c */ #credit { fill: none; }</style><text id="credit">${CREDIT}</text>`],
    [
      "a style sheet's element",
      `<style>@media print { a {} } g.q { opacity: 0 }</style><g class="q"><text>${CREDIT}</text></g>`,
    ],
  ])("does not count what is hidden by %s", (_, part) => {
    expect(beside(part)).toEqual(['No visible text names the author "Jane Doe".']);
  });

  it("needs author and license in one block", () => {
    expect(beside("<text>Jane Doe</text><text>CC BY-SA 4.0</text>")).toEqual([
      'The visible text that names "Jane Doe" does not say CC BY-SA.',
    ]);
  });

  it.each(["CC BY 4.0", "CC BY-NC-SA 4.0", "CC0", "CC BY-ND"])("is not met by %s in place of CC BY-SA", (license) => {
    expect(beside(`<text>Jane Doe / ${license}</text>`)).toHaveLength(1);
  });

  it.each(["CC BY-SA 4.0", "CC BY-NC"])("is not met by %s in place of CC BY", (license) => {
    expect(onSvg(picture("john.jpg"), `<text>John Roe / ${license}</text>`).problems).toHaveLength(1);
  });

  it("is the author's whole name", () => {
    const al = entry("al.jpg", "Al", BY);
    const page = (text: string) => checkPage({ name: "p", svg: svg(picture("al.jpg"), `<text>${text}</text>`) }, [al]);
    expect(page("Alps / CC BY 2.0").problems).toHaveLength(1);
    expect(page("Photo Al / CC BY 2.0").problems).toEqual([]);
  });

  it("is owed by no free image, and by none that a person chose", () => {
    expect(onSvg(picture("free.jpg"), picture("own.png"))).toMatchObject({
      images: ["free.jpg", "own.png"],
      problems: [],
    });
  });

  it("cannot be right where the manifest names no author", () => {
    const unsigned = { ...JANE, author: "" };
    const [problem] = checkPage({ name: "p", svg: svg(picture("jane.jpg"), `<text>${CREDIT}</text>`) }, [
      unsigned,
    ]).problems;
    expect(problem).toMatchObject({ filename: "jane.jpg", detail: expect.stringMatching(/no author/) });
  });
});

describe("several images on a page", () => {
  const both = (...texts: string[]) =>
    onSvg(picture("jane.jpg"), picture("john.jpg"), ...texts.map((text) => `<text>${text}</text>`)).problems.map(
      ({ filename }) => filename,
    );

  it.each([
    [[CREDIT, "© John Roe / Openverse / CC BY 2.0"], []],
    [["Left: Jane Doe / CC BY-SA 4.0; right: John Roe / CC BY 2.0"], []],
    [["CC BY-SA 4.0: Jane Doe. CC BY 2.0: John Roe."], []],
    [["Images: CC BY, CC BY-SA"], ["jane.jpg", "john.jpg"]],
    [[CREDIT], ["john.jpg"]],
    [["Left: Jane Doe / CC BY 2.0; right: John Roe / CC BY-SA 4.0"], ["jane.jpg", "john.jpg"]],
    [["Jane Doe, John Roe / CC BY-SA"], ["john.jpg"]],
  ])("%j leaves %j without a credit", (texts, missing) => {
    expect(both(...texts)).toEqual(missing);
  });

  it("of two authors under one license need a license each", () => {
    const joan = entry("joan.jpg", "Joan Poe", BY);
    const page = (text: string) =>
      checkPage({ name: "p", svg: svg(picture("john.jpg"), picture("joan.jpg"), `<text>${text}</text>`) }, [
        JOHN,
        joan,
      ]);
    expect(page("Photos: John Roe, Joan Poe / CC BY 2.0").problems).toEqual([
      { filename: "joan.jpg", detail: 'One CC BY credit serves several authors; "Joan Poe" needs one of its own.' },
    ]);
    expect(page("John Roe / CC BY 2.0, Joan Poe / CC BY 2.0").problems).toEqual([]);
  });

  it("of one author under one license share their credit", () => {
    expect(onSvg(picture("jane.jpg"), picture("jane-2.jpg"), `<text>${CREDIT}</text>`).problems).toEqual([]);
  });
});

describe("a page of text", () => {
  it("takes a paragraph for a block", () => {
    expect(onText(`![](images/jane.jpg)\n\n${CREDIT}`).problems).toEqual([]);
    expect(onText(`![](images/jane.jpg)\n\n© Jane Doe /\nWikimedia / CC BY-SA 4.0`).problems).toEqual([]);
    expect(onText("![](images/jane.jpg) by Jane Doe\n\nCC BY-SA 4.0").problems).toHaveLength(1);
  });

  it("is served by the manifest's own line and by its compact credit in Markdown and HTML", () => {
    const { attribution_text: full, credit } = JANE as Extract<ManifestItem, { credit: unknown }>;
    for (const line of [full, credit.plain, credit.markdown, credit.html]) {
      expect(onText(`<img src="jane.jpg">\n\n${line}`).problems).toEqual([]);
    }
  });

  it.each([
    ["a picture's replacement text", `![${CREDIT}](jane.jpg)`],
    ["an address", "![](jane.jpg) [source](https://x.example/Jane Doe CC BY-SA)"],
    ["a comment", `jane.jpg <!-- ${CREDIT} -->`],
    ["a hidden element", `jane.jpg <p style="display:none">${CREDIT}</p>`],
    ["the document's title", `<title>${CREDIT}</title><img src="jane.jpg">`],
  ])("does not count %s", (_, text) => {
    expect(onText(text).problems).toHaveLength(1);
  });
});

describe("a hostile page", () => {
  it.each([
    ["entities", `<!DOCTYPE svg [<!ENTITY c "${CREDIT}">]>${svg(picture("jane.jpg"), "<text>&c;</text>")}`, /entities/],
    ["nesting", svg("<g>".repeat(100_000)), /nested/],
    ["elements", svg("<g/>".repeat(300_000)), /elements/],
    ["texts", svg("<text>a</text>".repeat(30_000)), /texts/],
    ["no SVG", "%PDF-1.7", /not an SVG/],
  ])("is refused for its %s", (_, source, reason) => {
    expect(checkPage({ name: "p", svg: source }, ALL).unreadable).toMatch(reason);
  });

  it.each([
    "<!--",
    "![",
    "](",
    "<image href='",
    "\n ",
    "<text>cc by ",
    "%4",
    "jane.jpg",
    "&",
    "</a>",
    "{",
    "<style>a{",
    "<style>/*",
    "<style></style>",
    "jane.jpg jane doe cc by-sa ",
  ])("of many %j is judged in time", (piece) => {
    const source = piece.repeat(Math.floor(1_000_000 / piece.length));
    const started = performance.now();
    checkPage({ name: "p", text: source }, ALL);
    checkPage({ name: "p", svg: svg(source) }, ALL);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("never breaks the check", () => {
    const piece = fc.constantFrom(
      "<svg>",
      "<text>",
      "</text>",
      "<g ",
      'style="',
      "fill:none;",
      '"',
      ">",
      "jane.jpg",
      CREDIT,
      "&#x110000;",
      "<![CDATA[",
      "]]>",
      "\ud800",
    );
    const source = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(source, (text) => {
        expect(checkPage({ name: "p", svg: `<svg>${text}` }, ALL).name).toBe("p");
        expect(checkPage({ name: "p", text }, ALL).name).toBe("p");
      }),
    );
  });
});
