/**
 * The rules by which the SearchGen client accepts results. It reports no failure and never asks again, so an answer
 * that breaks one of them costs its user a row without a word.
 */
import type { ImageResult, WebResult } from "../providers/types.ts";

export interface SearchGenWebResult {
  title: string;
  link: string;
  snippet: string;
  source: string;
  position: number;
  date?: string;
}

export interface SearchGenImageResult {
  title: string;
  imageUrl: string;
  thumbnailUrl: string;
  source: string;
  link: string;
  position: number;
  width?: number;
  height?: number;
}

/** Paths that the client refuses before it asks for them. */
const NOT_RASTER = /\.(svgz?|pdf|eps|ps|ai)$/i;

/** `firstPosition` is 1 on the first page. Rows without a usable link are dropped. */
export function toWebResults(results: readonly WebResult[], firstPosition: number): SearchGenWebResult[] {
  const titles = new DistinctTitles();
  const rows: SearchGenWebResult[] = [];
  for (const result of results) {
    const link = asciiUrl(result.link);
    if (link === undefined) continue;
    const source = siteName(result.source, link);
    rows.push({
      title: titles.take(result.title, source),
      link,
      snippet: oneLine(result.snippet),
      source,
      position: firstPosition + rows.length,
      ...(result.date === undefined ? {} : { date: result.date }),
    });
  }
  return rows;
}

/** Drops rows whose picture the client would refuse unseen, and repeated pictures. */
export function toImageResults(results: readonly ImageResult[], firstPosition: number): SearchGenImageResult[] {
  const titles = new DistinctTitles();
  const seen = new Set<string>();
  const rows: SearchGenImageResult[] = [];
  for (const result of results) {
    const imageUrl = rasterUrl(result.imageUrl);
    if (imageUrl === undefined || seen.has(imageUrl)) continue;
    seen.add(imageUrl);
    const link = asciiUrl(result.link) ?? "";
    const source = siteName(result.source, link || imageUrl);
    rows.push({
      title: titles.take(result.title, source),
      imageUrl,
      thumbnailUrl: asciiUrl(result.thumbnailUrl) ?? imageUrl,
      source,
      link,
      position: firstPosition + rows.length,
      ...(result.width === undefined ? {} : { width: result.width }),
      ...(result.height === undefined ? {} : { height: result.height }),
    });
  }
  return rows;
}

/** The URL as the client can take it, or undefined: absolute http(s), ASCII, no vector or document by its path. */
export function rasterUrl(address: string): string | undefined {
  const url = asciiUrl(address);
  return url === undefined || NOT_RASTER.test(new URL(url).pathname) ? undefined : url;
}

/** Lower-case scheme, punycode host, percent-encoded rest; undefined when not absolute http(s). */
function asciiUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
}

/** Titles as the client compares them: it takes equal ones for one candidate, and never offers empty ones. */
export function normalizedTitle(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

class DistinctTitles {
  readonly #taken = new Set<string>();

  /** The title, or one made from the source, told apart by the source and then by a number. */
  take(title: string, source: string): string {
    const own = oneLine(title);
    const base = normalizedTitle(own) === "" ? `Result from ${source}` : own;
    for (const candidate of [base, `${base} (${source})`]) if (this.#claim(candidate)) return candidate;
    let number = 2;
    while (!this.#claim(`${base} (${source}, ${number})`)) number++;
    return `${base} (${source}, ${number})`;
  }

  #claim(title: string): boolean {
    const key = normalizedTitle(title);
    if (this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

/** The client puts a source that looks like a URL into a request header, so only names are given. */
function siteName(source: string, url: string): string {
  const name = oneLine(source);
  return name === "" || /^https?:/i.test(name) ? new URL(url).host : name;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
