import type { Candidate } from "./candidate.ts";
import { decodedUrl, foldedWords, isRunTogetherAt } from "./text.ts";

export type IdentityEvidence = "metadata-verified" | "visual-verification-required";

/** One identity anchor of a request. */
export interface RequiredTerm {
  /** As the request wrote it: `Jiefangbei|解放碑`. */
  readonly raw: string;
  /** Folded and without spaces; any of them will do. */
  readonly names: readonly string[];
}

/** How far a picture's own words prove that it shows what was asked for. */
export interface Identity {
  readonly evidence: IdentityEvidence;
  /** Raw groups that nothing in the metadata names. */
  readonly missing: readonly string[];
  /** Raw groups that the title alone names. */
  readonly inTitle: readonly string[];
}

/** Text without its spaces, and where in it words begin or end. */
interface Joined {
  readonly text: string;
  readonly boundaries: ReadonlySet<number>;
}

/** Between fields, so that no name is read across two of them. Never part of a word. */
const FIELD_END = "\n";

/** Reads a request's groups. One without any letter or digit asks for nothing and is left out. */
export function readRequiredTerms(groups: readonly string[]): RequiredTerm[] {
  return groups
    .map((raw) => ({ raw, names: raw.split("|").map((name) => foldedWords(name).join("")) }))
    .map(({ raw, names }) => ({ raw, names: names.filter((name) => name !== "") }))
    .filter(({ names }) => names.length > 0);
}

/**
 * Holds title, author and page URL against the required terms. A name counts on word boundaries, with any separators
 * inside or none (`Liberation Monument`, `LiberationMonument`); in scripts without word boundaries it counts anywhere.
 */
export function identityOf(
  candidate: Pick<Candidate, "title" | "author" | "sourcePageUrl">,
  terms: readonly RequiredTerm[],
): Identity {
  if (terms.length === 0) return { evidence: "metadata-verified", missing: [], inTitle: [] };
  const title = joined([candidate.title]);
  const all = joined([candidate.title, candidate.author, decodedUrl(candidate.sourcePageUrl)]);
  const missing = terms.filter((term) => !isNamed(all, term)).map(({ raw }) => raw);
  return {
    evidence: missing.length === 0 ? "metadata-verified" : "visual-verification-required",
    missing,
    inTitle: terms.filter((term) => isNamed(title, term)).map(({ raw }) => raw),
  };
}

function isNamed(text: Joined, { names }: RequiredTerm): boolean {
  return names.some((name) => contains(text, name));
}

function contains({ text, boundaries }: Joined, name: string): boolean {
  for (let start = text.indexOf(name); start !== -1; start = text.indexOf(name, start + 1)) {
    const end = start + name.length;
    if (isEdge(text, boundaries, start) && isEdge(text, boundaries, end)) return true;
  }
  return false;
}

function isEdge(text: string, boundaries: ReadonlySet<number>, at: number): boolean {
  return boundaries.has(at) || isRunTogetherAt(text, at);
}

function joined(fields: readonly string[]): Joined {
  const boundaries = new Set<number>();
  let text = "";
  for (const field of fields) {
    for (const word of foldedWords(apart(field))) {
      boundaries.add(text.length);
      text += word;
      boundaries.add(text.length);
    }
    text += FIELD_END;
  }
  return { text, boundaries };
}

/** `JiefangbeiSquare2019` has three words. `McDonald` and `MacBook` are one: short beginnings belong to the name. */
function apart(text: string): string {
  return text
    .normalize("NFC")
    .replace(/(?:\p{Lu}\p{Ll}{3,}|\p{Ll}{4,})(?=\p{Lu})/gu, "$& ")
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ");
}
