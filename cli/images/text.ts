import type { Candidate, SourceItem, StoredImage, Warning } from "../answers.ts";
import type { Console } from "../console.ts";
import type { ImageRun } from "./images.ts";

/** An image that is now in place: what it is, where it lies, whom to credit, what to mind. */
export function sayImage(image: StoredImage, filename: string, { console, directory }: ImageRun): void {
  const { item } = image;
  const path = directory.pathOf(filename);
  console.say(`${path}: ${item.width}x${item.height}, ${item.license_name}, from ${item.provider}`);
  const credit = creditOf(item);
  if (item.license_tier === "attribution-required") console.say(`Credit it wherever it is shown: ${credit}`);
  else if (item.license_tier === "manual") console.say("Its license is not verified: the rights are yours to clear.");
  else if (credit !== "") console.say(`No credit needed: ${credit}`);
  const shrunk = shrinkage(item);
  if (shrunk !== undefined) console.note(`Warning: ${shrunk}`);
  console.document({
    status: "Sourced",
    filename,
    path,
    manifest: directory.manifestPath,
    item,
    sha256: image.sha256,
    warnings: image.warnings ?? [],
    attempts: image.attempts ?? [],
  });
}

export function sayWarnings(warnings: readonly Warning[] | undefined, console: Console): void {
  for (const { detail } of warnings ?? []) console.note(`Warning: ${detail}`);
}

export function candidateLine(candidate: Candidate): string {
  const { rank, title, provider, license_name: license, width, height } = candidate;
  const [missing] = candidate.missing_required_terms;
  const near = missing === undefined ? "" : `  [look closely: "${missing}" is not named]`;
  return `${String(rank).padStart(2, "0")}  ${title}  (${provider}, ${license}, ${width}x${height})${near}`;
}

function creditOf(item: SourceItem): string {
  const { credit } = item;
  return typeof credit === "object" && credit !== null && "plain" in credit ? String(credit.plain) : "";
}

/** A file of less than half the pixels that were claimed is probably a preview. */
function shrinkage({ width, height, metadata_dimensions: claimed }: SourceItem): string | undefined {
  if (typeof claimed !== "object" || claimed === null || !("width" in claimed) || !("height" in claimed))
    return undefined;
  const share = (width * height) / (Number(claimed.width) * Number(claimed.height));
  return share < 0.5
    ? `the file has ${width}x${height}, while ${String(claimed.width)}x${String(claimed.height)} was claimed: it is likely a preview.`
    : undefined;
}
