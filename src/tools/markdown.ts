/**
 * The text shapes in which tools hand their results to a model. A shape is fixed to the character: prompts and pages are
 * made for it.
 */
import type { ReverseFinding, ReverseMatch, Repository } from "../providers/types.ts";
import type { ReverseEngine } from "../reverse/engines.ts";
import type { ImageRow } from "../web/images.ts";
import { engineLabel, type WebRow } from "../web/search.ts";
import { WORDS, type Words } from "./markdown-words.ts";
import type { ToolLanguage } from "./types.ts";

/** How to write: in which language, and what is done to every text from upstream before it is put into a shape. */
export interface Style {
  readonly language: ToolLanguage;
  clean(text: string): string;
}

const RULE = "\n\n---\n\n";
const SHOWN_REVERSE: Readonly<Record<ReverseEngine, number>> = {
  google_lens: 6,
  google_reverse_image: 5,
  yandex_images: 5,
  bing_reverse_image: 5,
  saucenao: 6,
};
const SHOWN_LINKS = 3;
const LONGEST_DESCRIPTION = 200;

/** Web results of `engines` (ids), under one heading; those of Google's own search API have another. */
export function webMarkdown(
  rows: readonly Pick<WebRow, "title" | "snippet" | "link">[],
  engines: readonly string[],
  fromSearchApi: boolean,
  style: Style,
): string {
  const words = WORDS[style.language];
  const labels = engines.map(searchLabel).join(" + ");
  const heading = fromSearchApi ? words.realTime : `${labels} Search — ${words.actual}`;
  const items = rows.map(({ title, snippet, link }) =>
    lines(`**${style.clean(title)}**`, style.clean(snippet), `🔗 ${style.clean(link)}`),
  );
  return `🔍 **${heading}:**\n\n${items.join(RULE)}`;
}

export function noWebMarkdown(engine: string, { language }: Style): string {
  return `🔍 ${WORDS[language].noResultsFrom} ${searchLabel(engine)}.`;
}

/** Image results under the id of the engine that gave them. */
export function imagesMarkdown(
  rows: readonly Pick<ImageRow, "title" | "source" | "imageUrl">[],
  engine: string,
  query: string,
  style: Style,
): string {
  const items = rows.map(({ title, source, imageUrl }, index) => {
    const name = style.clean(title) || WORDS[style.language].noTitle;
    return `**#${index + 1}** ${named(name, style.clean(source))}\n📎 ${style.clean(imageUrl)}`;
  });
  return `🖼️ **${engine} — '${style.clean(query)}'** (${rows.length}):\n${items.join("\n\n")}`;
}

export function noImagesMarkdown(query: string, { language, clean }: Style): string {
  return `🖼️ ${WORDS[language].noImages}: ${clean(query)}`;
}

export function repositoriesMarkdown(rows: readonly Repository[], { clean }: Style): string {
  const items = rows.map(({ name, stars, description, language, url }) =>
    lines(
      `**${clean(name)}** ⭐ ${stars}`,
      clean(description),
      `💻 ${[clean(language), `🔗 ${clean(url)}`].filter((part) => part !== "").join(" | ")}`,
    ),
  );
  return `🐙 **GitHub Repositories:**\n\n${items.join(RULE)}`;
}

export function noRepositoriesMarkdown({ language }: Style): string {
  return WORDS[language].noRepositories;
}

/** What one engine of the reverse image cascade found, in that engine's own shape. */
export function reverseMarkdown(engine: ReverseEngine, finding: ReverseFinding, style: Style): string {
  const shown = finding.matches.slice(0, SHOWN_REVERSE[engine]);
  const words = WORDS[style.language];
  switch (engine) {
    case "saucenao":
      return sauceMarkdown(shown, finding, style);
    case "google_lens":
      return [
        `🔍 **Google Lens — Visual Matches** (${finding.total} ${words.results}):`,
        shown.map((match, index) => lensItem(match, index, style)).join("\n\n"),
      ].join("\n");
    case "google_reverse_image":
      return `🔍 **Google Reverse Image:**\n${[...knowledgePart(finding, style), ...shown.map((match, index) => pageItem(match, index, style))].join(RULE)}`;
    case "yandex_images":
      return `🔍 **Yandex Images Reverse:**\n${shown.map((match, index) => siteItem(match, index, style)).join(RULE)}`;
    case "bing_reverse_image":
      return `🔍 **Bing Reverse Image:**\n${shown.map((match, index) => siteItem(match, index, style)).join(RULE)}`;
  }
}

export function noReverseMarkdown(engine: "saucenao" | "any", { language }: Style): string {
  return `🔍 ${engine === "saucenao" ? WORDS[language].noSauce : WORDS[language].noReverse}`;
}

function sauceMarkdown(shown: readonly ReverseMatch[], { total, remaining }: ReverseFinding, style: Style): string {
  const words = WORDS[style.language];
  const items = shown.map((match, index) => sauceItem(match, index, words, style));
  const footer =
    remaining === undefined ? "" : `\n\n⏳ ${words.left}: ${remaining.short}/30s · ${remaining.long}/${words.perDay}`;
  return `🔍 **SauceNAO — ${words.sauceHeading}** (${total} ${words.sauceSources})\n${items.join(RULE)}${footer}`;
}

function sauceItem(match: ReverseMatch, index: number, words: Words, { clean }: Style): string {
  const links = [...new Set([match.link, ...(match.links ?? [])])].filter((link) => link !== "").slice(0, SHOWN_LINKS);
  const similarity = match.similarity === undefined ? "" : ` — ${match.similarity.toFixed(1)}% ${words.similar}`;
  return lines(
    `**#${index + 1}**${similarity}`,
    `📌 **${clean(match.title) || words.unknown}**`,
    `🎨 ${words.author}: ${clean(match.author ?? "") || "N/A"}`,
    ...(links.length === 0 ? [`  ${words.noLink}`] : links.map((link) => `  🔗 ${clean(link)}`)),
  );
}

function lensItem({ title, source, link, price }: ReverseMatch, index: number, { clean }: Style): string {
  const cost = price === undefined ? "" : ` — 💰 ${clean(price)}`;
  return `**#${index + 1}** [${clean(source)}] ${clean(title)}${cost}\n🔗 ${clean(link)}`;
}

function pageItem({ title, snippet, link }: ReverseMatch, index: number, { clean }: Style): string {
  return lines(`**#${index + 1}** ${clean(title)}`, clean(snippet ?? ""), `🔗 ${clean(link)}`);
}

function siteItem({ title, source, link }: ReverseMatch, index: number, { clean }: Style): string {
  return `**#${index + 1}** ${named(clean(title), clean(source))}\n🔗 ${clean(link)}`;
}

function knowledgePart({ knowledge }: ReverseFinding, { clean }: Style): string[] {
  if (knowledge === undefined) return [];
  const description = [...clean(knowledge.description)].slice(0, LONGEST_DESCRIPTION).join("");
  const text = [clean(knowledge.title), description].filter((part) => part !== "").join(" — ");
  return [`**🧠 Knowledge Graph:** ${text}`];
}

function named(title: string, source: string): string {
  return source === "" ? title : `${title} (${source})`;
}

/** `Brave Search Search` would be one too many. */
function searchLabel(engine: string): string {
  return engineLabel(engine).replace(/ Search$/, "");
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n");
}
