import type { LicenseStatement } from "../providers/types.ts";
import { readLicenseName } from "./license-name.ts";
import type { LicenseCode, ReadLicense } from "./license-reading.ts";
import { licenseUrl, readLicenseUrl } from "./license-url.ts";

export type LicenseTier = "no-attribution" | "attribution-required";

export interface License {
  readonly tier: LicenseTier;
  /** As it is shown: `CC BY-SA 4.0`. */
  readonly name: string;
  /** Empty for public domain and for a version nobody named, where no page was given. */
  readonly url: string;
  /** SPDX identifier, where the list has one. */
  readonly spdx?: string;
  readonly evidence: LicenseEvidence;
}

/** The provider's own words. */
export interface LicenseEvidence {
  readonly name: string;
  readonly version?: string;
  readonly url: string;
  /** ISO 8601. */
  readonly readAt?: string;
}

export type LicenseVerdict =
  | { readonly kind: "cleared"; readonly license: License }
  | { readonly kind: "rejected"; readonly reason: string };

const NON_COMMERCIAL = /(?:^|[^a-z])(?:by-?)?nc(?:[^a-z]|$)|non[ -]?commercial/;
const NO_DERIVATIVES = /(?:^|[^a-z])(?:by-?)?(?:nc-?)?nd(?:[^a-z]|$)|no[ -]?deriv/;
const RESERVED = /all rights reserved/;

const DISAGREE = "its license name and license URL disagree";
const UNLISTED = "its license is not on the list of accepted ones";
const UNKNOWN_VERSION = "its license version does not exist";

const CC_VERSIONS: ReadonlySet<string> = new Set(["1.0", "2.0", "2.5", "3.0", "4.0"]);
/** Jurisdictions had editions of their own up to version 3. */
const PORTED_VERSIONS: ReadonlySet<string> = new Set(["1.0", "2.0", "2.1", "2.5", "3.0"]);

/** Of the jurisdictions' editions, SPDX lists these. */
const PORTED_SPDX: ReadonlySet<string> = new Set(
  (
    "CC-BY-2.5-AU CC-BY-3.0-AT CC-BY-3.0-AU CC-BY-3.0-DE CC-BY-3.0-IGO CC-BY-3.0-NL CC-BY-3.0-US " +
    "CC-BY-SA-2.0-UK CC-BY-SA-2.1-JP CC-BY-SA-3.0-AT CC-BY-SA-3.0-DE CC-BY-SA-3.0-IGO"
  ).split(" "),
);

const FIXED_NAMES: Readonly<Record<Exclude<LicenseCode, "by" | "by-sa">, string>> = {
  cc0: "CC0",
  pdm: "Public Domain",
  "public-domain": "Public Domain",
  pexels: "Pexels License",
  pixabay: "Pixabay Content License",
};

/** Authors' places filled with nobody. */
const NOBODY = /^(?:unknown(?: author| photographer| artist)?|n\/a|none|null|undefined|[-–—?.\s]*)$/i;

/**
 * Decides what a provider's license statement allows. Cleared are CC0, public domain, CC BY and CC BY-SA, and the two
 * stock licenses from their own site; everything else is rejected, and so is a name that its URL contradicts.
 * `readAt` (ISO 8601) is kept with the evidence.
 */
export function classifyLicense(statement: LicenseStatement, provider: string, readAt?: string): LicenseVerdict {
  const barred = barredBy(statement);
  if (barred !== undefined) return rejected(barred);
  const name = readLicenseName(statement.name);
  const url = readLicenseUrl(statement.url);
  if (name.kind === "unlisted") return rejected(UNLISTED);
  if (url.kind === "unlisted") return rejected(name.kind === "license" ? DISAGREE : UNLISTED);
  const named = name.kind === "license" ? withVersion(name, statement.version) : undefined;
  if (named === "disagree") return rejected("its license versions disagree");
  const linked = url.kind === "license" ? url : undefined;
  if (named?.urlNeeded === true && linked === undefined) return rejected(UNLISTED);
  const agreed = named !== undefined && linked !== undefined ? agree(named, linked) : (named ?? linked);
  if (agreed === undefined) return rejected(named === undefined ? "it states no license" : DISAGREE);
  if (!mayState(agreed, provider)) return rejected("it states the license of another site");
  if (!exists(agreed)) return rejected(UNKNOWN_VERSION);
  return { kind: "cleared", license: licenseOf(agreed, linked !== undefined, statement, readAt) };
}

/** Why a picture cannot be credited as its license asks; undefined where it can, or need not be. */
export function authorGate(license: Pick<License, "tier">, author: string): string | undefined {
  if (license.tier === "no-attribution" || !NOBODY.test(author.trim())) return undefined;
  return "its license asks for the author's name, and none is given";
}

function rejected(reason: string): LicenseVerdict {
  return { kind: "rejected", reason };
}

function barredBy({ name, url }: LicenseStatement): string | undefined {
  const text = `${name} ${unescaped(url)}`
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_‐-―]+/g, " ");
  const dashed = text.replaceAll(" ", "-");
  if ([text, dashed].some((each) => NON_COMMERCIAL.test(each))) return "its license forbids commercial use";
  if ([text, dashed].some((each) => NO_DERIVATIVES.test(each))) return "its license forbids derivatives";
  return RESERVED.test(text) ? "all rights are reserved" : undefined;
}

function unescaped(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** Openverse gives the version apart. */
function withVersion(name: ReadLicense, version: string | undefined): ReadLicense | "disagree" {
  const apart = version?.trim() ?? "";
  if (apart === "") return name;
  if (name.versions.length > 0 && !name.versions.includes(apart)) return "disagree";
  return { ...name, versions: [apart] };
}

/** Both halves as one, the more exact one leading; undefined where they contradict each other. */
function agree(name: ReadLicense, url: ReadLicense): ReadLicense | undefined {
  const sameCode = name.code === url.code;
  // "Public domain" is what CC0 and the mark both come down to; the two are not each other.
  const widened = name.code === "public-domain" && (url.code === "cc0" || url.code === "pdm");
  if (!sameCode && !widened) return undefined;
  if (name.port !== undefined && url.port !== undefined && name.port !== url.port) return undefined;
  const [urlVersion] = url.versions;
  const versionsMeet = urlVersion === undefined || name.versions.length === 0 || name.versions.includes(urlVersion);
  if (!versionsMeet) return undefined;
  const port = name.port ?? url.port;
  return {
    ...name,
    code: url.code,
    versions: urlVersion === undefined ? name.versions : [urlVersion],
    ...(port === undefined ? {} : { port }),
  };
}

/** A stock license covers what its own site offers. Where nobody names the provider, the full name must do. */
function mayState({ code, only, sourceNeeded }: ReadLicense, provider: string): boolean {
  const site = only ?? (code === "pexels" || code === "pixabay" ? code : undefined);
  if (site === undefined || provider === site) return true;
  return provider === "" && sourceNeeded !== true;
}

function exists({ code, versions, port }: ReadLicense): boolean {
  const [version] = versions;
  if (code === "cc0" || code === "pdm") return version === undefined || version === "1.0";
  if (code !== "by" && code !== "by-sa") return true;
  if (port !== undefined) return version !== undefined && PORTED_VERSIONS.has(version);
  return version === undefined || CC_VERSIONS.has(version);
}

function licenseOf(
  agreed: ReadLicense,
  urlIsLicense: boolean,
  statement: LicenseStatement,
  readAt: string | undefined,
): License {
  const [version] = agreed.versions;
  const spdx = spdxOf(agreed, version);
  const stated = /^https?:\/\//i.test(statement.url.trim()) ? statement.url.trim() : "";
  return {
    tier: agreed.code === "by" || agreed.code === "by-sa" ? "attribution-required" : "no-attribution",
    name: agreed.display ?? displayName(agreed, version),
    url: (urlIsLicense ? stated : "") || licenseUrl(agreed, version) || stated,
    ...(spdx === undefined ? {} : { spdx }),
    evidence: { ...statement, ...(readAt === undefined ? {} : { readAt }) },
  };
}

function displayName({ code, port }: ReadLicense, version: string | undefined): string {
  if (code !== "by" && code !== "by-sa") return FIXED_NAMES[code];
  const edition = port === "igo" ? "IGO" : port;
  return [`CC ${code.toUpperCase()}`, version, edition].filter((part) => part !== undefined).join(" ");
}

/** Checked against the SPDX list by a test; the list itself is too large to ship. */
function spdxOf({ code, port }: ReadLicense, version: string | undefined): string | undefined {
  if (code === "cc0") return "CC0-1.0";
  if (code === "pdm") return "CC-PDM-1.0";
  if ((code !== "by" && code !== "by-sa") || version === undefined) return undefined;
  const unported = `CC-${code.toUpperCase()}-${version}`;
  if (port === undefined) return unported;
  const ported = `${unported}-${port.toUpperCase()}`;
  return PORTED_SPDX.has(ported) ? ported : undefined;
}
