import type { ReverseMatch } from "../providers/types.ts";
import type { EngineFinding, ReverseEngine } from "./engines.ts";

/** A page or a work, in the shape of the chat tools. */
export interface ReverseSource {
  readonly title: string;
  /** Empty where unknown. */
  readonly author: string;
  /** Empty where the engine names no page. */
  readonly url: string;
  readonly thumbnail: string | null;
  /** 0 to 100, where the engine measures it. */
  readonly similarity: number | null;
  readonly source_engine: string;
}

export interface ReverseImages {
  /** Where the image itself is shown. */
  readonly sources: readonly ReverseSource[];
  /** Images like it. */
  readonly similar: readonly ReverseSource[];
  readonly knowledge: string | null;
}

/** From here on SauceNAO means the same work. */
const STRONG_SIMILARITY = 80;
const LONGEST_KNOWLEDGE = 300;
/** Of each engine's matches, in its own order. */
const KEPT: Readonly<Record<ReverseEngine, number>> = {
  saucenao: 6,
  google_lens: 8,
  google_reverse_image: 5,
  yandex_images: 5,
  bing_reverse_image: 5,
};
/** As the answers have always called them. */
const SOURCE_ENGINES: Readonly<Partial<Record<ReverseEngine, string>>> = { yandex_images: "yandex" };

/** How many matches leave no doubt: so similar, or called the same image by their engine. */
export function strongCount(findings: readonly EngineFinding[]): number {
  return findings.flatMap(({ finding }) => finding.matches).filter(isStrong).length;
}

/** Sorts what the engines found into sources and similar images; a page is named once. */
export function sorted(findings: readonly EngineFinding[]): ReverseImages {
  const sources = new Distinct();
  const similar = new Distinct();
  for (const { engine, finding } of findings) {
    for (const match of finding.matches.slice(0, KEPT[engine])) {
      (isSource(engine, match) ? sources : similar).add(sourceOf(engine, match));
    }
  }
  const urls = new Set(sources.rows.flatMap(({ url }) => (url === "" ? [] : [url])));
  return {
    sources: sources.rows,
    similar: similar.rows.filter(({ url }) => !urls.has(url)),
    knowledge: knowledgeOf(findings),
  };
}

function isStrong({ similarity, exact }: ReverseMatch): boolean {
  return exact === true || (similarity ?? 0) >= STRONG_SIMILARITY;
}

function isSource(engine: ReverseEngine, match: ReverseMatch): boolean {
  return isStrong(match) || engine === "google_lens";
}

/** A match in the shape of the chat tools. */
export function sourceOf(engine: ReverseEngine, match: ReverseMatch): ReverseSource {
  return {
    title: match.title,
    author: match.author ?? (engine === "google_lens" ? match.source : ""),
    url: match.link,
    thumbnail: match.thumbnailUrl ?? null,
    similarity: match.similarity ?? null,
    source_engine: SOURCE_ENGINES[engine] ?? engine,
  };
}

function knowledgeOf(findings: readonly EngineFinding[]): string | null {
  for (const { finding } of findings) {
    if (finding.knowledge === undefined) continue;
    const { title, description } = finding.knowledge;
    const text = [title, description].filter((part) => part !== "").join(" — ");
    if (text !== "") return [...text].slice(0, LONGEST_KNOWLEDGE).join("");
  }
  return null;
}

class Distinct {
  readonly rows: ReverseSource[] = [];
  readonly #urls = new Set<string>();

  add(row: ReverseSource): void {
    if (row.url !== "" && this.#urls.has(row.url)) return;
    this.#urls.add(row.url);
    this.rows.push(row);
  }
}
