/**
 * A message as its writer's own words, ready for matching: NFC, lower case, and beside it the same text without accents,
 * of the same length, so that a place in one is a place in the other.
 */
export interface OwnWords {
  readonly text: string;
  readonly folded: string;
}

/** A place in the text where a phrase stands. */
export interface Occurrence {
  readonly phrase: string;
  readonly from: number;
  readonly to: number;
  /** The accents were typed, or the phrase has none; else it was typed without. */
  readonly accented: boolean;
}

/** What the writer says, without code, quotations and addresses, which are about something else. */
export function ownWords(message: string): OwnWords {
  const text = withoutQuotations(withoutCode(message.normalize("NFC")))
    .replaceAll(/\bhttps?:\/\/\S+/gi, " ")
    .replaceAll("’", "'")
    .toLowerCase()
    .normalize("NFC")
    // What no letter could take in would make the two texts differ in length.
    .replaceAll(/\p{M}/gu, "");
  return { text, folded: fold(text) };
}

/** The message without code blocks and inline code. A block that is never closed ends with the message. */
export function withoutCode(message: string): string {
  return message
    .replaceAll(/^[ \t]*(```+|~~~+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm, " ")
    .replaceAll(/```[\s\S]*?(?:```|$)/g, " ")
    .replaceAll(/(`+)[^`\n]+\1/g, " ");
}

const PAIRS = [/"[^"\n]*"/g, /“[^”]*”/g, /„[^“”]*[“”]/g, /«[^»]*»/g, /「[^」]*」/g];
/** An apostrophe inside or behind a word opens no quotation. */
const SINGLE = /(?<![\p{L}\p{N}])['‘][^'‘’\n]+['’](?![\p{L}\p{N}])/gu;

function withoutQuotations(text: string): string {
  const lines = text.replaceAll(/^[ \t]*>.*$/gm, " ");
  return [...PAIRS, SINGLE].reduce((rest, pair) => rest.replaceAll(pair, " "), lines);
}

/** Length-preserving: only Latin letters decompose into one letter and its marks. */
export function fold(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/gu, (letter) => {
    if (letter === "đ") return "d";
    if (!/^\p{Script=Latin}$/u.test(letter)) return letter;
    return letter.normalize("NFD").replaceAll(/\p{M}/gu, "");
  });
}

/**
 * Where a phrase stands as words of its own: not inside a word or an identifier, not as a member or a call. Typed with
 * its accents, or wholly without any; another word that only folds to the same (`giả` for `giá`) is no occurrence.
 */
export function occurrences({ text, folded }: OwnWords, phrase: string, plural = false): Occurrence[] {
  const wanted = phrase.normalize("NFC").toLowerCase();
  const pattern = fold(wanted).split(" ").map(escaped).join("\\s+");
  const boundary = new RegExp(`(?<![\\p{L}\\p{N}_.$])${pattern}${plural ? "(?:e?s)?" : ""}(?![\\p{L}\\p{N}_(])`, "gu");
  return [...folded.matchAll(boundary)].flatMap((match) => {
    const [from, to] = [match.index, match.index + match[0].length];
    const typed = text.slice(from, to).replaceAll(/\s+/g, " ");
    const accented = typed === wanted || (plural && typed.startsWith(wanted));
    if (!accented && typed !== fold(typed)) return [];
    return [{ phrase, from, to, accented }];
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
