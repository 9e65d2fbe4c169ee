import { attributionText, type CompactCredit, compactCredit } from "./attribution.ts";
import type { License, LicenseTier } from "./license.ts";
import type { RankedCandidate } from "./ranking.ts";
import type { ImageRequest } from "./request.ts";
import { isKnown, type Size } from "./size-floors.ts";

/** What both kinds of entries of `image_sources.json` have. Members stand in the file in the order given here. */
interface CommonItem {
  readonly filename: string;
  readonly slide: string;
  readonly purpose: string;
  readonly search_query: string;
  readonly orientation: string;
  readonly title: string;
  readonly author: string;
  readonly source_page_url: string;
  readonly download_url: string;
  readonly license_name: string;
  readonly license_url: string;
  readonly attribution_required: boolean;
  /** Pixels of the stored file, as it is shown. */
  readonly width: number;
  readonly height: number;
  readonly attribution_text: string;
  readonly required_terms?: readonly string[];
}

export interface ProviderItem extends CommonItem, SelectionFields {
  readonly matched_query: string;
  readonly provider: RankedCandidate["candidate"]["provider"];
  readonly stage: "all" | "no-attribution-only";
  readonly license_tier: LicenseTier;
  readonly query_variants?: readonly string[];
  readonly metadata_dimensions?: Size & { readonly note: string };
  readonly license_spdx?: string;
  readonly license_evidence: {
    readonly name: string;
    readonly version?: string;
    readonly url: string;
    readonly read_at?: string;
  };
  readonly credit: CompactCredit;
  /** Somebody looked, and saw what the metadata does not say. */
  readonly identity_confirmed?: boolean;
}

interface SelectionFields {
  readonly selection_method: "metadata-ranked" | "visual-thumbnail";
  readonly status: "sourced" | "promoted";
}

export interface ManualItem extends CommonItem {
  readonly provider: "manual";
  readonly license_tier: "manual";
  readonly status: "manual";
  readonly note: string;
}

export type ManifestItem = ProviderItem | ManualItem;

export interface Selection {
  readonly status: SelectionFields["status"];
  readonly selectionMethod: SelectionFields["selection_method"];
  readonly identityConfirmed?: boolean;
}

export interface ManualDetails {
  readonly slide: string;
  readonly purpose: string;
  readonly searchQuery: string;
  /** Empty or `any` where it does not matter. */
  readonly orientation: string;
  readonly requiredTerms: readonly string[];
}

const VERIFICATION = "provider metadata used; manual review recommended for external delivery";

/** The entry for a picture that a provider gave; `stored` is measured, never claimed. */
export function providerItem(
  request: ImageRequest,
  { candidate }: Pick<RankedCandidate, "candidate">,
  stored: Size,
  { status, selectionMethod, identityConfirmed }: Selection,
): ProviderItem {
  const { license } = candidate;
  const dimensions = metadataDimensions(candidate, stored);
  return {
    filename: request.filename,
    slide: request.slide,
    purpose: request.purpose,
    search_query: request.query,
    matched_query: candidate.discoveryQuery,
    orientation: request.orientation,
    provider: candidate.provider,
    stage: request.strictNoAttribution ? "no-attribution-only" : "all",
    title: candidate.title,
    author: candidate.author,
    source_page_url: candidate.sourcePageUrl,
    download_url: candidate.downloadUrl,
    license_name: license.name,
    license_url: license.url,
    license_tier: license.tier,
    attribution_required: license.tier === "attribution-required",
    width: stored.width,
    height: stored.height,
    attribution_text: attributionText(candidate, request.filename),
    selection_method: selectionMethod,
    status,
    ...(request.requiredTerms.length > 0 ? { required_terms: request.requiredTerms } : {}),
    ...(request.queryVariants.length > 0 ? { query_variants: request.queryVariants } : {}),
    ...(dimensions === undefined ? {} : { metadata_dimensions: dimensions }),
    ...(license.spdx === undefined ? {} : { license_spdx: license.spdx }),
    license_evidence: evidenceOf(license),
    credit: compactCredit(candidate),
    ...(identityConfirmed === undefined ? {} : { identity_confirmed: identityConfirmed }),
  };
}

/** The entry for a picture that a person chose; nobody has looked at its license. */
export function manualItem(filename: string, sourceUrl: string, details: ManualDetails, stored: Size): ManualItem {
  return {
    filename,
    slide: details.slide,
    purpose: details.purpose,
    search_query: details.searchQuery,
    orientation: details.orientation === "any" ? "" : details.orientation,
    provider: "manual",
    title: "",
    author: "",
    source_page_url: sourceUrl,
    download_url: sourceUrl,
    license_name: "unverified — direct URL",
    license_url: "",
    license_tier: "manual",
    attribution_required: false,
    width: stored.width,
    height: stored.height,
    attribution_text: "",
    status: "manual",
    note: "chosen directly: the right to use it, and any credit, are for the user to settle",
    ...(details.requiredTerms.length > 0 ? { required_terms: details.requiredTerms } : {}),
  };
}

/** An entry as it is kept: printed once, however often the manifest is. */
export function printItem(item: ManifestItem): string {
  return JSON.stringify(item, null, 2);
}

/** `image_sources.json` as it stands on disk, from printed entries; `generatedAt` in epoch milliseconds. */
export function renderManifest(items: Iterable<string>, generatedAt: number): string {
  // Line breaks inside of JSON are never part of a string, so indenting changes nothing else.
  const entries = Array.from(items, (item) => `    ${item.replaceAll("\n", "\n    ")}`);
  const list = entries.length === 0 ? "[]" : `[\n${entries.join(",\n")}\n  ]`;
  const rest = JSON.stringify({ generated_at: microseconds(generatedAt), license_verification: VERIFICATION }, null, 2);
  return `{\n  "items": ${list},${rest.slice(1)}\n`;
}

/** Only where the provider claims another size than the stored file has. */
function metadataDimensions(claimed: Size, stored: Size): ProviderItem["metadata_dimensions"] {
  const { width, height } = claimed;
  if (!isKnown(claimed) || (width === stored.width && height === stored.height)) return undefined;
  const difference = stored.width * stored.height - width * height;
  const note = `upstream-reported size; the stored file is ${comparison(difference)}`;
  return { width, height, note };
}

function comparison(difference: number): string {
  if (difference === 0) return "of the same area in another shape";
  return difference < 0 ? "smaller (likely a preview)" : "larger";
}

function evidenceOf({ evidence }: License): ProviderItem["license_evidence"] {
  return {
    name: evidence.name,
    ...(evidence.version === undefined ? {} : { version: evidence.version }),
    url: evidence.url,
    ...(evidence.readAt === undefined ? {} : { read_at: evidence.readAt }),
  };
}

/** Six digits, as the original tool writes them: readers of such files may parse by that pattern. */
function microseconds(time: number): string {
  return new Date(time).toISOString().replace("Z", "000Z");
}
