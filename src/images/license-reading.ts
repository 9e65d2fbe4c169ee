export type LicenseCode = "by" | "by-sa" | "cc0" | "pdm" | "public-domain" | "pexels" | "pixabay";

/** What one half of a statement, its name or its URL, says. */
export type LicenseReading =
  | { readonly kind: "nothing" }
  /** Something that is not on our list. */
  | { readonly kind: "unlisted" }
  | ReadLicense;

export interface ReadLicense {
  readonly kind: "license";
  readonly code: LicenseCode;
  /** Any of them holds; empty where none is named. */
  readonly versions: readonly string[];
  /** Jurisdiction, as in Creative Commons' URLs: `de`, `igo`. */
  readonly port?: string;
  /** Where the name is to be shown as it stands. */
  readonly display?: string;
  /** Means something only in the mouth of this provider. */
  readonly only?: "pexels" | "pixabay";
  /** The site's bare name: a license only from that site itself. */
  readonly sourceNeeded?: boolean;
  /** Too vague without a URL that says the same. */
  readonly urlNeeded?: boolean;
}

export const NOTHING_SAID: LicenseReading = { kind: "nothing" };
export const UNLISTED: LicenseReading = { kind: "unlisted" };
