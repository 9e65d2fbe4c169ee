import { escapeMarkdown, markdownLink, webUrl } from "./attribution.ts";
import type { ManifestItem } from "./provenance.ts";
import { oneLine } from "./text.ts";

export interface CreditsInput {
  readonly project: string;
  readonly items: readonly ManifestItem[];
  /** Filenames whose stored bytes were gone, so that they are not beside the page. */
  readonly missing: ReadonlySet<string>;
}

/** `CREDITS.md`: what each image is, where it came from, and whose name has to stand beside it. CommonMark without HTML. */
export function creditsPage({ project, items, missing }: CreditsInput): string {
  const owing = items.filter(({ attribution_required: required }) => required);
  const manual = items.filter(({ license_tier: tier }) => tier === "manual");
  const blocks = [
    `# Image credits of ${escapeMarkdown(project)}`,
    owing.length === 0
      ? "No image here needs a visible credit by its license."
      : `These need a visible credit wherever they are used:\n\n${list(owing)}`,
    ...(manual.length === 0
      ? []
      : [
          `These were chosen directly. Nobody has verified their license, and any credit is for you to settle:\n\n${list(manual)}`,
        ]),
    ...items.map((item) => section(item, missing.has(item.filename))),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function list(items: readonly ManifestItem[]): string {
  return items.map(({ filename }) => `- ${text(filename)}`).join("\n");
}

function section(item: ManifestItem, isMissing: boolean): string {
  const lines = [
    ...(isMissing ? ["**The file itself was gone when this archive was made.**"] : []),
    `Credit: ${CREDIT_DUTIES[item.license_tier]}`,
    ...(item.title === "" ? [] : [`Title: ${text(item.title)}`]),
    ...(item.author === "" ? [] : [`Author: ${text(item.author)}`]),
    `Source: ${link(item.source_page_url, item.source_page_url)}`,
    `License: ${link(item.license_name, item.license_url)}`,
    ...("credit" in item ? [`Credit line: ${text(item.credit.plain)}`] : []),
  ];
  return `## ${text(item.filename)}\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
}

const CREDIT_DUTIES: Readonly<Record<ManifestItem["license_tier"], string>> = {
  "attribution-required": "**must be visible** wherever the image is used",
  "no-attribution": "not required by its license",
  manual: "**not verified**; the image was chosen directly",
};

function link(label: string, url: string): string {
  return markdownLink({ text: oneLine(label) || "unknown", url: webUrl(url) });
}

function text(value: string): string {
  return escapeMarkdown(oneLine(value));
}
