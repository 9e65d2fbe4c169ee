/** Whether a batch is done: the spec's §11, line by line. Pure. */
import type { ManifestItem } from "../images/provenance.ts";
import type { Size } from "../images/size-floors.ts";
import type { PageVerdict } from "./page-credits.ts";
import type { RowItem } from "./rows.ts";

/** The lines in their order, with what each demands. */
export const CHECKPOINT_LINES = {
  "rows-ended": "Every row is Sourced with its stored file, or Needs-Manual",
  "selection-method": "Every sourced image says truly how it was selected",
  "manifest-entries": "Every sourced row has a manifest entry with a valid license tier and its attribution",
  "page-credits": "Every image that needs attribution has its author and license visible on each page that uses it",
  "size-warnings": "Files much smaller than their provider claimed are named",
  "manual-reasons": "Every Needs-Manual row says why",
} as const;

export type CheckpointLineId = keyof typeof CHECKPOINT_LINES;

/** What is wrong with one row, or with one image on one page. */
export interface CheckpointFinding {
  /** Empty where a page as a whole is meant. */
  readonly filename: string;
  readonly page?: string;
  readonly detail: string;
}

export interface CheckpointLine {
  readonly id: CheckpointLineId;
  /** `null` where it could not be checked: the pages were not sent. */
  readonly ok: boolean | null;
  readonly problems: readonly CheckpointFinding[];
  readonly warnings: readonly CheckpointFinding[];
}

export interface Checkpoint {
  /** Whether every line is met; a line that could not be checked is not. */
  readonly complete: boolean;
  readonly lines: readonly CheckpointLine[];
}

/** An entry of the manifest, and whether its bytes are there. */
export interface CheckpointImage {
  readonly item: ManifestItem;
  readonly stored: boolean;
}

export interface CheckpointInput {
  readonly rows: readonly RowItem[];
  /** The whole project's, since a page may use any of them. */
  readonly images: readonly CheckpointImage[];
  /** Whether the batch lets somebody look before an original is downloaded. */
  readonly showsCandidates: boolean;
  /** Undefined where no pages were sent. */
  readonly pages: readonly PageVerdict[] | undefined;
}

const TIERS: ReadonlySet<string> = new Set(["no-attribution", "attribution-required", "manual"]);
/** Fewer pixels than this part of what the provider claimed: a preview, most likely. */
const MUCH_SMALLER = 0.5;

const OPEN: Readonly<Record<string, string>> = {
  Pending: "The row is Pending: run the batch.",
  Failed: "The row is Failed: run the batch again.",
  "Needs-Selection": "The row is Needs-Selection: promote one of its candidates, or take the next page.",
};

type Entry = CheckpointImage | undefined;
type RowCheck = (row: RowItem, entry: Entry) => readonly string[];

/** Answers every line of the completion list. */
export function checkpoint({ rows, images, showsCandidates, pages }: CheckpointInput): Checkpoint {
  const byName = new Map(images.map((image) => [image.item.filename, image]));
  const findings = (check: RowCheck): CheckpointFinding[] =>
    rows.flatMap((row) => check(row, byName.get(row.filename)).map((detail) => ({ filename: row.filename, detail })));
  const sourced = (check: (item: ManifestItem) => readonly string[]) =>
    findings((row, entry) => (row.status === "Sourced" && entry !== undefined ? check(entry.item) : []));

  const lines = [
    line("rows-ended", findings(openRow)),
    line(
      "selection-method",
      sourced((item) => selectionFaults(item, showsCandidates)),
    ),
    line("manifest-entries", [...findings(withoutEntry), ...sourced(entryFaults)]),
    creditsLine(pages, images),
    line("size-warnings", [], sourced(sizeWarnings)),
    line("manual-reasons", findings(withoutReason)),
  ];
  return { complete: lines.every(({ ok }) => ok === true), lines };
}

function line(
  id: CheckpointLineId,
  problems: readonly CheckpointFinding[],
  warnings: readonly CheckpointFinding[] = [],
): CheckpointLine {
  return { id, ok: problems.length === 0, problems, warnings };
}

function openRow({ status }: RowItem, entry: Entry): string[] {
  if (status === "Needs-Manual") return [];
  if (status !== "Sourced") return [OPEN[status] ?? `The row has the unknown status ${JSON.stringify(status)}.`];
  if (entry === undefined)
    return ["The row is Sourced, and the project has no file of this name: run the batch again."];
  return entry.stored ? [] : ["The stored file is gone or damaged: run the batch again."];
}

function withoutEntry({ status }: RowItem, entry: Entry): string[] {
  return status === "Sourced" && entry === undefined ? ["The manifest has no entry for this file."] : [];
}

function withoutReason(row: RowItem): string[] {
  const reason = row["last_error"];
  const isGiven = typeof reason === "string" && reason.trim() !== "";
  return row.status === "Needs-Manual" && !isGiven ? ["The row is Needs-Manual without a reason in `last_error`."] : [];
}

function selectionFaults(item: ManifestItem, showsCandidates: boolean): string[] {
  if (item.license_tier === "manual") return "selection_method" in item ? ["A manual entry claims a selection."] : [];
  const { selection_method: method, status } = item as Extract<ManifestItem, { selection_method: string }>;
  if (method !== "visual-thumbnail" && method !== "metadata-ranked")
    return ["The entry has no valid selection_method."];
  if ((method === "visual-thumbnail") !== (status === "promoted")) {
    return [`The entry is ${status}, which does not go with the selection_method ${method}.`];
  }
  return showsCandidates && method === "metadata-ranked"
    ? ["Nobody looked at this image, in a batch that shows candidates: promote one of them."]
    : [];
}

function entryFaults(item: ManifestItem): string[] {
  const { license_tier: tier, author, attribution_required: required, attribution_text: text } = item;
  if (!TIERS.has(tier)) return ["The entry's license_tier is not valid."];
  return [
    ...(tier !== "manual" && text.trim() === "" ? ["The entry has no attribution_text."] : []),
    ...(tier === "attribution-required" && author.trim() === ""
      ? ["Attribution is required and the entry has no author."]
      : []),
    ...(required === (tier === "attribution-required") ? [] : ["attribution_required contradicts the license_tier."]),
  ];
}

function sizeWarnings(item: ManifestItem): string[] {
  const claimed: Size | undefined = "metadata_dimensions" in item ? item.metadata_dimensions : undefined;
  if (claimed === undefined) return [];
  if (item.width * item.height >= MUCH_SMALLER * claimed.width * claimed.height) return [];
  const sizes = `${item.width}x${item.height}; its provider claimed ${claimed.width}x${claimed.height}`;
  return [`The stored file is ${sizes}: likely a preview.`];
}

function creditsLine(pages: readonly PageVerdict[] | undefined, images: readonly CheckpointImage[]): CheckpointLine {
  if (pages === undefined) {
    const owing = images.filter(({ item }) => item.attribution_required);
    const detail = "Attribution is required: send the pages to have its credit checked.";
    const warnings = owing.map(({ item }) => ({ filename: item.filename, detail }));
    return { id: "page-credits", ok: owing.length === 0 ? true : null, problems: [], warnings };
  }
  const problems = pages.flatMap(({ name: page, unreadable, problems: found }) => [
    ...(unreadable === undefined ? [] : [{ filename: "", page, detail: `The page cannot be checked: ${unreadable}.` }]),
    ...found.map(({ filename, detail }) => ({ filename, page, detail })),
  ]);
  const warnings = pages.flatMap(({ name: page, unlisted }) =>
    unlisted.map((filename) => ({
      filename,
      page,
      detail: "The manifest does not know this picture: its license is not checked.",
    })),
  );
  return line("page-credits", problems, warnings);
}
