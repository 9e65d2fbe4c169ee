import fc from "fast-check";
import spdxIds from "spdx-license-ids/index.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { authorGate, classifyLicense, type License } from "../../src/images/license.ts";
import { VECTORS } from "./ranking-vectors.ts";

const BY_2 = "https://creativecommons.org/licenses/by/2.0/";

function cleared(name: string, url = "", provider = "wikimedia", version?: string): License | undefined {
  const verdict = classifyLicense({ name, url, ...(version === undefined ? {} : { version }) }, provider);
  return verdict.kind === "cleared" ? verdict.license : undefined;
}

function reason(name: string, url = "", provider = "wikimedia"): string | undefined {
  const verdict = classifyLicense({ name, url }, provider);
  return verdict.kind === "rejected" ? verdict.reason : undefined;
}

/** Where the original is wrong: Openverse's codes become names, and its `pdm` needs no URL. */
const IMPROVED: Readonly<Record<string, readonly [string | null, string]>> = {
  [`by|${BY_2}`]: ["attribution-required", "CC BY 2.0"],
  "by-sa|https://creativecommons.org/licenses/by-sa/4.0/": ["attribution-required", "CC BY-SA 4.0"],
  "by-sa|": ["attribution-required", "CC BY-SA"],
  "pdm|": ["no-attribution", "Public Domain"],
};

describe("the license vectors", () => {
  it.each(VECTORS.license.map((each) => [each.license_name, each.license_url, each.provider, each] as const))(
    "%s %s %s",
    (name, url, provider, each) => {
      const [tier, shown] = IMPROVED[`${name}|${url}`] ?? [each.tier, each.normalized_name];
      const license = cleared(name, url, provider);
      expect(license?.tier ?? null).toBe(tier);
      if (license !== undefined) expect(license.name).toBe(shown);
    },
  );
});

describe("what a statement means", () => {
  it.each([
    ["by", "2.0", "CC BY 2.0", BY_2, "CC-BY-2.0"],
    ["by-sa", "4.0", "CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/", "CC-BY-SA-4.0"],
    ["cc0", "1.0", "CC0", "https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"],
    ["pdm", "1.0", "Public Domain", "https://creativecommons.org/publicdomain/mark/1.0/", "CC-PDM-1.0"],
  ])("gives Openverse's %s %s its name, page and SPDX id", (code, version, name, url, spdx) => {
    expect(cleared(code, "", "openverse", version)).toMatchObject({ name, url, spdx });
  });

  it.each([
    ["cc-by-sa-4.0", "CC BY-SA 4.0"],
    ["CC BY-SA 3.0 de", "CC BY-SA 3.0 de"],
    ["CC BY 3.0 IGO", "CC BY 3.0 IGO"],
    ["cc0 1.0", "CC0"],
    ["pd", "Public Domain"],
    ["PD-self", "Public Domain"],
    ["Creative Commons Attribution-ShareAlike 3.0 Unported", "CC BY-SA 3.0"],
    ["CC BY-SA 4.0-3.0-2.5-2.0-1.0", "CC BY-SA 4.0"],
    ["GFDL or CC BY-SA 3.0", "GFDL or CC BY-SA 3.0"],
  ])("reads %s", (written, shown) => expect(cleared(written)?.name).toBe(shown));

  it("keeps a jurisdiction in page and id", () => {
    expect(cleared("CC BY-SA 3.0 de")).toMatchObject({
      url: "https://creativecommons.org/licenses/by-sa/3.0/de/",
      spdx: "CC-BY-SA-3.0-DE",
    });
    expect(cleared("CC BY-SA 3.0 fr")?.spdx).toBeUndefined();
  });

  it.each([
    "PD-USGov",
    "PD-old-70",
    "No restrictions",
    "Copyrighted free use",
    "Flickr-no known copyright restrictions",
  ])("does not take %s for public domain everywhere", (name) =>
    expect(reason(name)).toBe("its license is not on the list of accepted ones"),
  );

  it.each(["CC BY 5.0", "CC BY-SA 4.0 de", "CC BY 2.1", "CC0 2.0"])("does not believe in %s", (name) =>
    expect(reason(name)).toBe("its license version does not exist"),
  );

  it.each([
    ["CC BY-SA 4.0", BY_2],
    ["CC BY 4.0", BY_2],
    ["CC0", BY_2],
    ["pdm", "https://creativecommons.org/publicdomain/zero/1.0/"],
    ["CC BY-SA 3.0 de", "https://creativecommons.org/licenses/by-sa/3.0/fr/"],
    ["CC BY 4.0", "https://www.gnu.org/copyleft/fdl.html"],
    ["CC BY 4.0", "https://creativecommons.org/licenses/sampling+/1.0/"],
  ])("rejects %s at %s", (name, url) => expect(reason(name, url)).toBe("its license name and license URL disagree"));

  it("takes the version from the page, and the page's word for a vague name", () => {
    expect(cleared("by", BY_2, "openverse")?.spdx).toBe("CC-BY-2.0");
    expect(cleared("Attribution", BY_2)?.name).toBe("CC BY 2.0");
    expect(cleared("", BY_2)?.name).toBe("CC BY 2.0");
  });

  it("rejects two versions from one provider", () => {
    const verdict = classifyLicense({ name: "CC BY 4.0", version: "2.0", url: "" }, "openverse");
    expect(verdict).toEqual({ kind: "rejected", reason: "its license versions disagree" });
  });

  it("does not read a license from a host that only looks like it", () => {
    expect(reason("", "https://creativecommons.org.example.com/licenses/by/4.0/")).toBe("it states no license");
  });

  it("takes stock licenses from their own site only", () => {
    expect(cleared("Pexels License", "https://www.pexels.com/license/", "pexels")?.tier).toBe("no-attribution");
    expect(reason("Pexels License", "", "openverse")).toBe("it states the license of another site");
    expect(reason("Pixabay Content License", "", "pexels")).toBe("it states the license of another site");
  });

  it("freezes the provider's own words", () => {
    const verdict = classifyLicense({ name: "by", version: "2.0", url: BY_2 }, "openverse", "2026-05-01T12:00:00Z");
    expect(verdict).toMatchObject({
      license: { evidence: { name: "by", version: "2.0", url: BY_2, readAt: "2026-05-01T12:00:00Z" } },
    });
  });
});

describe("the author gate", () => {
  it.each(["", " ", "Unknown author", "N/A", "-"])("takes %j for nobody", (author) => {
    expect(authorGate({ tier: "attribution-required" }, author)).toContain("author");
    expect(authorGate({ tier: "no-attribution" }, author)).toBeUndefined();
  });

  it("lets anybody with a name pass", () =>
    expect(authorGate({ tier: "attribution-required" }, "Unknown Pleasures")).toBeUndefined());
});

describe("any statement", () => {
  const barred = fc.constantFrom(
    "NC",
    "nd",
    "by-nc",
    "BY NC",
    "by_nd",
    "NonCommercial",
    "non-commercial",
    "No Derivatives",
    "nc-nd",
  );
  const dressing = fc.constantFrom("", "CC ", "CC BY ", "CC BY-SA 4.0 ", "CC0 ", "Public domain, ", "Pexels License ");
  const ending = fc.constantFrom("", " 4.0", " 2.0 de", ", GFDL", " or CC BY 4.0");

  it("is never cleared with non-commercial or no-derivatives words in its name", () => {
    fc.assert(
      fc.property(dressing, barred, ending, (before, word, after) => {
        const url = "https://creativecommons.org/licenses/by/4.0/";
        expect(cleared(`${before}${word}${after}`)).toBeUndefined();
        expect(cleared(`${before}${word}${after}`, url)).toBeUndefined();
      }),
    );
  });

  it("is never cleared with them in its URL", () => {
    const path = fc.constantFrom(
      "by-nc/4.0",
      "by-nc-sa/3.0/de",
      "by-nd/2.0",
      "by-nc-nd/4.0",
      "by%2Dnc/4.0",
      "BY-ND/4.0",
      "nc/1.0",
    );
    const name = fc.constantFrom("", "CC BY 4.0", "CC0", "by", "Public domain", "Pexels License");
    fc.assert(
      fc.property(path, name, (part, written) => {
        expect(cleared(written, `https://creativecommons.org/licenses/${part}/`, "pexels")).toBeUndefined();
      }),
    );
  });

  it("is answered whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.webUrl(), (name, url) => {
        expect(["cleared", "rejected"]).toContain(classifyLicense({ name, url }, "wikimedia").kind);
      }),
    );
  });

  it("has an SPDX id only from the SPDX list", () => {
    const ports = ["", "at", "au", "de", "igo", "nl", "us", "uk", "jp", "fr", "scotland"];
    const versions = ["1.0", "2.0", "2.1", "2.5", "3.0", "4.0"];
    const names = ["by", "by-sa"].flatMap((code) =>
      versions.flatMap((each) => ports.map((port) => `cc ${code} ${each} ${port}`.trim())),
    );
    const ids = [...names, "cc0", "pdm"].flatMap((name) => cleared(name)?.spdx ?? []);
    expect(ids.filter((id) => !spdxIds.includes(id))).toEqual([]);
    const listed = spdxIds.filter((id) => /^(?:CC-BY-(?:SA-)?\d|CC0-|CC-PDM-)/.test(id));
    expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
