/** What the routes of a signed review link answer, and what of it a reader is told. Pure. */

export interface Candidate {
  readonly file: string;
  readonly rank: number;
  readonly on_page: boolean;
  readonly picture: string;
  readonly preview_width: number;
  readonly preview_height: number;
  readonly title: string;
  readonly author: string;
  readonly source_page_url: string;
  readonly provider: string;
  readonly license_name: string;
  readonly license_url: string;
  readonly license_tier: string;
  readonly attribution_required: boolean;
  readonly credit: string;
  /** 0 where the provider does not say. */
  readonly width: number;
  readonly height: number;
  readonly why: readonly string[];
  readonly identity_evidence: string;
  readonly missing_required_terms: readonly string[];
  readonly selected: boolean;
}

export interface Intent {
  readonly query: string;
  readonly query_variants: readonly string[];
  readonly purpose: string;
  readonly slide: string;
  readonly orientation: string;
  readonly required_terms: readonly string[];
  readonly min_width: number | null;
  readonly min_height: number | null;
  readonly strict_no_attribution: boolean;
  readonly reference?: unknown;
}

export interface StoredImage {
  readonly picture: string;
  readonly width: number;
  readonly height: number;
  readonly license_tier: string;
  readonly credit: string;
  readonly title: string;
  readonly source_page_url: string;
}

export interface ReviewState {
  readonly project: string;
  readonly filename: string;
  readonly actions: readonly string[];
  readonly expires_at: string;
  readonly intent: Intent | null;
  readonly row: {
    readonly status: string;
    readonly last_error?: string;
    readonly running: boolean;
    readonly batch: string;
  } | null;
  readonly image: StoredImage | null;
  readonly page: {
    readonly number: number;
    readonly size: number;
    readonly total: number;
    readonly has_more: boolean;
    readonly next: number | null;
  } | null;
  readonly candidates: readonly Candidate[];
}

/** Only its picture can tell whether this is the right subject. */
export function isNearMatch({ identity_evidence: evidence, missing_required_terms: missing }: Candidate): boolean {
  return evidence === "visual-verification-required" || missing.length > 0;
}

/** `Chongqing or 重庆, and Jiefangbei`. */
export function termWords(terms: readonly string[]): string {
  return terms.map((term) => term.split("|").join(" or ")).join(", and ");
}

/** What is wanted, as pairs of a name and its words; what the row leaves open is left out. */
export function intentLines(intent: Intent): (readonly [name: string, words: string])[] {
  const { reference } = intent;
  const floor = [intent.min_width, intent.min_height].map((side) => side ?? "any").join(" × ");
  const lines: (readonly [string, string])[] = [
    ["Query", intent.query],
    ["Also searched", intent.query_variants.join(", ")],
    ["Must be named", termWords(intent.required_terms)],
    ["Reference", reference === undefined ? "" : typeof reference === "string" ? reference : JSON.stringify(reference)],
    ["Purpose", intent.purpose],
    ["Slide", intent.slide],
    ["Shape", intent.orientation === "any" ? "" : intent.orientation],
    ["At least", intent.min_width === null && intent.min_height === null ? "" : `${floor} pixels`],
    ["License", intent.strict_no_attribution ? "only without a credit line" : ""],
  ];
  return lines.filter(([, words]) => words !== "");
}

export function sizeWords(width: number, height: number): string {
  return width > 0 && height > 0 ? `${width} × ${height}` : "size unknown";
}

/** The candidate that a digit key means: they count within the page that is shown. */
export function byDigit(candidates: readonly Candidate[], digit: number): Candidate | undefined {
  return candidates.filter(({ on_page: onPage }) => onPage)[digit - 1];
}
