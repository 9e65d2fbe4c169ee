import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributionText, compactCredit, type Credited } from "../../src/images/attribution.ts";
import { classifyLicense } from "../../src/images/license.ts";
import { manualItem, printItem, providerItem, renderManifest } from "../../src/images/provenance.ts";
import { VECTORS } from "./ranking-vectors.ts";
import { BY_SA, candidate, CC0, request } from "./samples.ts";

const SUNSET = candidate({
  title: "Sunset",
  license: BY_SA,
  sourcePageUrl: "https://commons.wikimedia.org/wiki/File:Sunset_(1).jpg",
});
const UNSIGNED = candidate({ provider: "openverse", title: "Untitled", author: "" });

describe("attribution_text", () => {
  it.each(VECTORS.attribution.map((each) => [each.attribution_text, each] as const))("%s", (text, each) => {
    const given = each.candidate;
    const name = given.license_name ?? "";
    const url = given.license_url ?? "";
    const verdict = classifyLicense({ name, url }, given.provider ?? "");
    const shown = name !== "" && verdict.kind === "cleared" ? verdict.license.name : name;
    const credited: Credited = {
      provider: given.provider ?? "",
      title: given.title ?? "",
      author: given.author ?? "",
      sourcePageUrl: "",
      downloadUrl: "",
      license: { tier: "no-attribution", name: shown, url },
    };
    // The license has a name now, where it used to be Openverse's code.
    expect(attributionText(credited, each.filename)).toBe(text.replace("license: by (", "license: CC BY 2.0 ("));
  });
});

describe("the compact credit", () => {
  it("is the slide's line", () => {
    expect(compactCredit(SUNSET).plain).toBe("© Jane Doe / Wikimedia / CC BY-SA 4.0");
    expect(compactCredit(UNSIGNED).plain).toBe("via Openverse / CC0");
    expect(compactCredit({ ...UNSIGNED, author: "Ann" }).plain).toBe("Ann via Openverse / CC0");
    expect(compactCredit({ ...SUNSET, author: "© Jane Doe" }).plain).toBe("© Jane Doe / Wikimedia / CC BY-SA 4.0");
  });

  it("links to source and license", () => {
    const { markdown, html } = compactCredit(SUNSET);
    expect(markdown).toBe(
      "© Jane Doe / [Wikimedia](https://commons.wikimedia.org/wiki/File:Sunset_%281%29.jpg) / [CC BY-SA 4.0](https://creativecommons.org/licenses/by-sa/4.0/)",
    );
    expect(html).toBe(
      '© Jane Doe / <a href="https://commons.wikimedia.org/wiki/File:Sunset_(1).jpg" rel="noopener">Wikimedia</a> / ' +
        '<a href="https://creativecommons.org/licenses/by-sa/4.0/" rel="license noopener">CC BY-SA 4.0</a>',
    );
  });

  it("links to nothing but the web, and lets no author write markup", () => {
    const hostile = { ...SUNSET, author: '](x) <img src="q"> *Jane*', sourcePageUrl: "javascript:alert(1)" };
    const { markdown, html } = compactCredit(hostile);
    expect(markdown).toMatch(/^© \\\]\(x\) \\<img src="q"\\> \\\*Jane\\\* \/ Wikimedia \//);
    expect(html).not.toMatch(/<img|javascript/);
  });

  it("makes no heading or list of an author's name", () => {
    expect(compactCredit({ ...UNSIGNED, author: "# 1" }).markdown).toMatch(/^\\# 1 via/);
    expect(compactCredit({ ...UNSIGNED, author: "1. FC" }).markdown).toMatch(/^1\\\. FC via/);
  });

  it("never holds a raw < from what it is given, and never loses a fact", () => {
    const text = fc.string({ unit: fc.constantFrom("<", ">", '"', "'", "&", "/", "a", "script", " ", "\n") });
    fc.assert(
      fc.property(text, text, text, (author, name, path) => {
        const sourcePageUrl = `https://x.example/${path}`;
        const credited = { ...SUNSET, author, sourcePageUrl, license: { ...BY_SA, name } };
        const { plain, html } = compactCredit(credited);
        expect(html.replaceAll(/<a href="[^"<>]*" rel="[a-z ]+">|<\/a>/g, "")).not.toContain("<");
        for (const fact of [author, name, "Wikimedia"]) expect(plain).toContain(flat(fact));
      }),
    );
  });
});

function flat(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

const STORED = { width: 1280, height: 853 };

describe("image_sources.json", () => {
  const wanted = request({ slide: "03", purpose: "hero", queryVariants: ["Windpark"], requiredTerms: ["Jutland"] });
  const item = providerItem(wanted, { candidate: SUNSET }, STORED, {
    status: "promoted",
    selectionMethod: "visual-thumbnail",
    identityConfirmed: true,
  });

  it("has the known members of a provider's picture in order, and ours behind", () => {
    expect(Object.keys(item)).toEqual(
      (
        "filename slide purpose search_query matched_query orientation provider stage title author source_page_url " +
        "download_url license_name license_url license_tier attribution_required width height attribution_text " +
        "selection_method status required_terms query_variants metadata_dimensions " +
        "license_spdx license_evidence credit identity_confirmed"
      ).split(" "),
    );
    expect(item).toMatchObject({
      search_query: "offshore wind farm",
      license_tier: "attribution-required",
      attribution_required: true,
      attribution_text:
        'hero.jpg — "Sunset" by Jane Doe via Wikimedia Commons — license: CC BY-SA 4.0 (https://creativecommons.org/licenses/by-sa/4.0/)',
      license_evidence: { name: "CC BY-SA 4.0", url: "https://creativecommons.org/licenses/by-sa/4.0/" },
      credit: { plain: "© Jane Doe / Wikimedia / CC BY-SA 4.0" },
    });
  });

  it.each([
    [{ width: 3000, height: 2000 }, "smaller (likely a preview)"],
    [{ width: 640, height: 426 }, "larger"],
    [{ width: 853, height: 1280 }, "of the same area in another shape"],
  ])("says truly how a claim of %j differs", (claimed, words) => {
    const claiming = { candidate: candidate(claimed) };
    const made = providerItem(request(), claiming, STORED, { status: "sourced", selectionMethod: "metadata-ranked" });
    expect(made.metadata_dimensions).toEqual({
      ...claimed,
      note: `upstream-reported size; the stored file is ${words}`,
    });
  });

  it.each([STORED, { width: 0, height: 0 }])("says nothing of a claim of %j", (claimed) => {
    const claiming = { candidate: candidate({ ...claimed, license: CC0 }) };
    const made = providerItem(request(), claiming, STORED, { status: "sourced", selectionMethod: "metadata-ranked" });
    expect(made).not.toHaveProperty("metadata_dimensions");
    expect(made).not.toHaveProperty("required_terms");
    expect(made).not.toHaveProperty("identity_confirmed");
  });

  it("has a manual picture's members in order, and claims nothing of its license", () => {
    const details = { slide: "", purpose: "", searchQuery: "", orientation: "any", requiredTerms: ["Jutland"] };
    const manual = manualItem("own.png", "https://x.example/own.png", details, STORED);
    expect(Object.keys(manual)).toEqual(
      (
        "filename slide purpose search_query orientation provider title author source_page_url download_url " +
        "license_name license_url license_tier attribution_required width height attribution_text status note " +
        "required_terms"
      ).split(" "),
    );
    expect(manual).toMatchObject({ provider: "manual", license_tier: "manual", attribution_text: "", orientation: "" });
  });

  it("stands as the original tool writes it", () => {
    const text = renderManifest([item].map(printItem), Date.UTC(2026, 4, 1, 12, 17, 59, 856));
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect(Object.keys(JSON.parse(text))).toEqual(["items", "generated_at", "license_verification"]);
    expect(text).toContain('\n  "generated_at": "2026-05-01T12:17:59.856000Z",\n');
    expect(text).toContain('\n      "filename": "hero.jpg",\n');
    expect(text.endsWith("}\n")).toBe(true);
  });
});
