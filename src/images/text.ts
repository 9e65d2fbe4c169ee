/** How texts are made comparable. Pure; lengths are UTF-16 units unless said otherwise. */

/** Scripts in which words run together, so that word boundaries prove nothing. */
const RUN_TOGETHER =
  "\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{scx=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD_CHARACTER = "[\\p{L}\\p{M}\\p{N}]";

const BEGINS_RUN_TOGETHER = new RegExp(`^[${RUN_TOGETHER}]`, "u");
const ENDS_RUN_TOGETHER = new RegExp(`[${RUN_TOGETHER}]$`, "u");
const RUNS = new RegExp(
  `(?<joint>(?:(?=${WORD_CHARACTER})[${RUN_TOGETHER}])+)|(?<word>(?:(?![${RUN_TOGETHER}])${WORD_CHARACTER})+)`,
  "gu",
);
const WORDS = new RegExp(`${WORD_CHARACTER}+`, "gu");

const LETTERS: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", æ: "ae", œ: "oe", þ: "th", ð: "d" };

/** A stretch of one kind of script. `joint` is one without word boundaries. */
export interface ScriptRun {
  readonly text: string;
  readonly joint: boolean;
}

/** Case, accents of Latin and Greek letters, and width are gone: `São` → `sao`, `SS` and `ß` → `ss`. */
export function fold(text: string): string {
  return (
    text
      .toWellFormed()
      // Upper case first: it is what knows that `ß` is `SS`.
      .toUpperCase()
      .toLowerCase()
      .replaceAll("ς", "σ")
      .normalize("NFKD")
      // Only these: in other scripts such a mark makes another letter.
      .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "$1")
      .normalize("NFKC")
      .replace(/[øłđæœþð]/g, (letter) => LETTERS[letter] ?? letter)
  );
}

/** Folded words of letters and digits, whatever stands between them. */
export function foldedWords(text: string): string[] {
  return fold(text).match(WORDS) ?? [];
}

/** Folded stretches by kind of script; `U.S.` is the one word `us`. */
export function scriptRuns(text: string): ScriptRun[] {
  return [...joinAcronyms(fold(text)).matchAll(RUNS)].map(({ groups }) =>
    groups?.joint === undefined ? { text: groups?.word ?? "", joint: false } : { text: groups.joint, joint: true },
  );
}

/** Two texts with the same key differ in looks only. */
export function cosmeticKey(text: string): string {
  const words = scriptRuns(text).map((run) => run.text);
  return words.length > 0 ? words.join(" ") : fold(text).trim();
}

/** Whether words run together at a place, so that any place there may be a boundary. */
export function isRunTogetherAt(text: string, at: number): boolean {
  return (
    ENDS_RUN_TOGETHER.test(text.slice(Math.max(0, at - 2), at)) || BEGINS_RUN_TOGETHER.test(text.slice(at, at + 2))
  );
}

/** URLs of wikis carry titles percent-encoded. */
export function decodedUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** White space and control characters of any kind become single spaces. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function joinAcronyms(folded: string): string {
  return folded.replace(/(?<![\p{L}\p{N}])\p{Script=Latin}(?:\.\p{Script=Latin})+(?![\p{L}\p{N}])/gu, (letters) =>
    letters.replaceAll(".", ""),
  );
}
