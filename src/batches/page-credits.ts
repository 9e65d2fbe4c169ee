/** Whether a page credits the images on it, as the spec's §7 and §10 demand. Pure. */
import { filenameKey } from "../images/filename.ts";
import type { ManifestItem } from "../images/provenance.ts";
import { fold, isRunTogetherAt } from "../images/text.ts";
import { assignSegments, type CreditState, type OwedCredit } from "./credit-segments.ts";
import { readSvg, readText } from "./page-markup.ts";

/** A page of the deck, as its source. */
export type Page = { readonly name: string; readonly svg: string } | { readonly name: string; readonly text: string };

export interface PageVerdict {
  readonly name: string;
  /** Files of the manifest that the page uses, in the order of the manifest. */
  readonly images: readonly string[];
  /** Pictures that the page uses and the manifest does not know: nothing is said of these. */
  readonly unlisted: readonly string[];
  readonly problems: readonly { readonly filename: string; readonly detail: string }[];
  /** Why nothing could be said of the page; then all else is empty. */
  readonly unreadable?: string;
}

const AUTHOR_SHOWN = 80;

/** Judges one page by the manifest of its project. */
export function checkPage(page: Page, items: readonly ManifestItem[]): PageVerdict {
  const { name } = page;
  const markup = "svg" in page ? readSvg(page.svg) : readText(page.text);
  if ("reason" in markup) return { name, images: [], unlisted: [], problems: [], unreadable: markup.reason };
  const files = markup.references.map(fileOf).filter((file) => file !== undefined);
  const referenced = new Set(files.map(filenameKey));
  const prose = "text" in page ? [page.text, percentDecoded(page.text)].map(filenameKey) : [];
  const used = items.filter(({ filename }) => {
    const key = filenameKey(filename);
    return referenced.has(key) || prose.some((text) => namesFile(text, key));
  });
  const known = new Set(items.map(({ filename }) => filenameKey(filename)));
  const unlisted = [...new Set(files.filter((file) => !known.has(filenameKey(file))))];
  const problems = problemsOf(used, markup.blocks.map(readable));
  return { name, images: used.map(({ filename }) => filename), unlisted, problems };
}

function problemsOf(used: readonly ManifestItem[], blocks: readonly string[]): PageVerdict["problems"] {
  const owing = used.filter(({ attribution_required: required }) => required);
  const credits = new Map<string, OwedCredit>();
  for (const item of owing) credits.set(creditKey(creditOf(item)), creditOf(item));
  const served = assignSegments([...credits.values()], blocks);
  return owing.flatMap((item) => {
    const credit = creditOf(item);
    const state = served.get(credits.get(creditKey(credit))!);
    return state === "served" ? [] : [{ filename: item.filename, detail: detailOf(item, credit, state) }];
  });
}

function detailOf(item: ManifestItem, { author, kind }: OwedCredit, state: CreditState | undefined): string {
  const license = kind === "by-sa" ? "CC BY-SA" : "CC BY";
  if (author === "") return "The manifest names no author, so that no credit can be right.";
  const shown = item.author.length > AUTHOR_SHOWN ? `${item.author.slice(0, AUTHOR_SHOWN)}…` : item.author;
  if (state === "shared") return `One ${license} credit serves several authors; "${shown}" needs one of its own.`;
  if (state === "no-license") return `The visible text that names "${shown}" does not say ${license}.`;
  return `No visible text names the author "${shown}".`;
}

function creditOf({ author, license_name: name, license_url: url }: ManifestItem): OwedCredit {
  const isShareAlike = /\bby[ -]?sa\b|share[ -]?alike/i.test(name) || /\/licenses\/by-sa\//i.test(url);
  return { author: readable(author).replace(/^(?:©|\(c\)|copyright)\s*/, ""), kind: isShareAlike ? "by-sa" : "by" };
}

function creditKey({ author, kind }: OwedCredit): string {
  return `${kind} ${author}`;
}

/** Case, width and kinds of dashes and spaces make no difference to a reader. */
function readable(text: string): string {
  return fold(text)
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/** The bare file name of a reference; undefined for pictures that lie in the page itself. */
function fileOf(reference: string): string | undefined {
  const url = reference.trim();
  if (url === "" || url.startsWith("#") || /^data:/i.test(url)) return undefined;
  const path = url.replace(/[?#].*$/s, "");
  return percentDecoded(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)) || undefined;
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

/** Whether the name stands there whole: `my-hero.jpg` does not name `hero.jpg`. */
function namesFile(text: string, filename: string): boolean {
  for (let at = text.indexOf(filename); at >= 0; at = text.indexOf(filename, at + 1)) {
    const end = at + filename.length;
    const before = /[\p{L}\p{M}\p{N}_-]$/u.test(text.slice(Math.max(0, at - 2), at)) && !isRunTogetherAt(text, at);
    const after = /^[\p{L}\p{M}\p{N}_-]/u.test(text.slice(end, end + 2)) && !isRunTogetherAt(text, end);
    if (!before && !after) return true;
  }
  return false;
}
