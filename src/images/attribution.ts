import { escapeUTF8 } from "entities";
import { providerById } from "../providers/registry.ts";
import type { License } from "./license.ts";
import { oneLine } from "./text.ts";

/** What a credit is made of; a candidate has it all. */
export interface Credited {
  readonly provider: string;
  readonly title: string;
  readonly author: string;
  readonly sourcePageUrl: string;
  readonly downloadUrl: string;
  readonly license: Pick<License, "tier" | "name" | "url">;
}

export interface CompactCredit {
  readonly plain: string;
  /** CommonMark, with links to the source page and the license. */
  readonly markdown: string;
  /** Escaped, with the same links. */
  readonly html: string;
}

interface Part {
  readonly text: string;
  /** Empty where there is nothing to link to. */
  readonly url: string;
  readonly rel?: "license";
}

const SEPARATOR = " / ";
const MARKDOWN_MARKS = /[\\`*_[\]<>&|~]/g;
/** Harmless within a line, but at its beginning they make it a heading, a quotation or a list. */
const MARKDOWN_LINE_MARK = /^(\d*)([#+=.)-])/;

/** The full credit line of `image_sources.json`: file, title, author, provider and license, what is empty left out. */
export function attributionText(image: Credited, filename: string): string {
  const title = oneLine(image.title);
  const author = oneLine(image.author);
  const work = [
    title === "" ? "" : `"${title}"`,
    author === "" ? "" : `by ${author}`,
    `via ${providerName(image.provider) || "unknown"}`,
  ];
  const { name, url } = image.license;
  const license = name !== "" && url !== "" ? `${name} (${url})` : name || url;
  return [
    oneLine(filename) || image.downloadUrl || "image",
    work.filter((part) => part !== "").join(" "),
    license === "" ? "" : `license: ${license}`,
  ]
    .filter((part) => part !== "")
    .join(" — ");
}

/**
 * The short line for a slide: `© Jane Doe / Wikimedia / CC BY-SA 4.0`, or `via Openverse / CC0` where no attribution is
 * asked for. Author, source and license are in all three forms.
 */
export function compactCredit(image: Credited): CompactCredit {
  const author = authorPart(image);
  const source = { text: shortName(image.provider), url: webUrl(image.sourcePageUrl) };
  const license: Part = {
    text: oneLine(image.license.name) || image.license.url,
    url: webUrl(image.license.url),
    rel: "license",
  };
  const owned = image.license.tier === "attribution-required" && author !== "";
  const line = (text: (plain: string) => string, link: (part: Part) => string): string => {
    const origin = owned ? `${text(author)}${SEPARATOR}${link(source)}` : `${text(author)} via ${link(source)}`.trim();
    return license.text === "" ? origin : `${origin}${SEPARATOR}${link(license)}`;
  };
  return {
    plain: line(
      (plain) => plain,
      ({ text }) => text,
    ),
    markdown: line(escapeMarkdown, markdownLink).replace(MARKDOWN_LINE_MARK, "$1\\$2"),
    html: line(escapeUTF8, htmlLink),
  };
}

function authorPart({ author, license }: Credited): string {
  const name = oneLine(author);
  if (name === "" || license.tier === "no-attribution" || /^(?:©|\(c\)|copyright)/i.test(name)) return name;
  return `© ${name}`;
}

/** As it is written in credits; an id that is not ours stands as it is. */
function providerName(id: string): string {
  return providerById(id)?.name ?? oneLine(id);
}

function shortName(id: string): string {
  return providerName(id).replace(/ Commons$/, "") || "unknown";
}

/** Normalized; empty for what is no http(s) URL. */
export function webUrl(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : "";
}

/** Text of others within a line of CommonMark: it stays text. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN_MARKS, "\\$&");
}

/** Only the text where `url` is empty. */
export function markdownLink({ text, url }: Pick<Part, "text" | "url">): string {
  if (url === "") return escapeMarkdown(text);
  const target = url.replace(/[()\\<>]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${escapeMarkdown(text)}](${target})`;
}

function htmlLink({ text, url, rel }: Part): string {
  if (url === "") return escapeUTF8(text);
  return `<a href="${escapeUTF8(url)}" rel="${rel === undefined ? "" : `${rel} `}noopener">${escapeUTF8(text)}</a>`;
}
