/** A license in the words of the two providers that name one; creativecommons.org. */
export interface License {
  /** Wikimedia's `LicenseShortName` and `License`. */
  readonly shortName: string;
  readonly code: string;
  readonly url: string;
  /** Openverse's `license` and `license_version`; it lists nothing else. */
  readonly openverse?: { readonly license: string; readonly version: string };
}

const CREATIVE_COMMONS = "https://creativecommons.org";

const LICENSES = {
  cc0: {
    shortName: "CC0",
    code: "cc0",
    url: `${CREATIVE_COMMONS}/publicdomain/zero/1.0/deed.en`,
    openverse: { license: "cc0", version: "1.0" },
  },
  pdm: {
    shortName: "Public domain",
    code: "pd",
    url: `${CREATIVE_COMMONS}/publicdomain/mark/1.0/deed.en`,
    openverse: { license: "pdm", version: "1.0" },
  },
  "by-2.0": attribution("by", "2.0"),
  "by-3.0": attribution("by", "3.0"),
  "by-4.0": attribution("by", "4.0"),
  "by-sa-2.0": attribution("by-sa", "2.0"),
  "by-sa-3.0": attribution("by-sa", "3.0"),
  "by-sa-4.0": attribution("by-sa", "4.0"),
  "by-nc-2.0": attribution("by-nc", "2.0"),
  "by-nd-4.0": attribution("by-nd", "4.0"),
  gfdl: { shortName: "GFDL", code: "gfdl", url: "https://www.gnu.org/copyleft/fdl.html" },
  reserved: { shortName: "All rights reserved", code: "", url: "" },
  unknown: { shortName: "", code: "", url: "" },
} satisfies Record<string, License>;

export type LicenseId = keyof typeof LICENSES;

export function licenseOf(id: LicenseId): License {
  return LICENSES[id];
}

/** Whether the license lets anybody use and change the picture, and wants the author named. */
export function useOf(id: LicenseId): "free" | "with-author" | "never" {
  if (id === "cc0" || id === "pdm") return "free";
  return /^by(-sa)?-\d/.test(id) ? "with-author" : "never";
}

function attribution(license: string, version: string): License {
  return {
    shortName: `CC ${license.toUpperCase()} ${version}`,
    code: `cc-${license}-${version}`,
    url: `${CREATIVE_COMMONS}/licenses/${license}/${version}/`,
    openverse: { license, version },
  };
}
