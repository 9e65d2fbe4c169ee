import type { RequestWarning } from "./request.ts";
import { fold } from "./text.ts";
import { STOP_WORDS, UNWANTED_THINGS } from "./words.ts";

/** A query without the words that a keyword search would take literally, and what was left out. */
export interface CleanedQuery {
  /** Never empty, unless the query was: a query of nothing but such words stays as it is. */
  readonly text: string;
  readonly negations: readonly string[];
  readonly colors: readonly string[];
  readonly quality: readonly string[];
}

const COLOR = /(?<![\p{L}\p{N}&])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\p{L}\p{N}])/giu;

/** A negation and everything up to the next pause. */
const NEGATION =
  /(?<![\p{L}\p{N}'’-])(?<sign>(?:(?:do|does|must|should) )?not|no|without|avoid(?:ing)?|exclud(?:e|ing)) (?<rest>[^,;.!?()，。；！？、（）]+)/giu;
const MINUS_WORD = /(?<=^|\s)-\p{L}\S*/gu;
const CJK_NEGATION = /(?:不要|不含|避免|没有|沒有|排除)[^\s,;.!?()，。；！？、（）]*/gu;

const QUALITY =
  /(?<![\p{L}\p{N}])(?:(?:very |ultra[ -])?(?:high|top|best|good|low|premium|full)[ -](?:quality|resolution|res|definition|def)|hi-?res|professional(?= (?:very |ultra |high|quality|stock|photo|image|picture|shot))|(?:high|ultra)(?:ly)?[ -](?:detailed|realistic)|ultra[ -]?hd|uhd|hdr?(?! ?\d)|[48]k|photo-?realistic|award[ -]winning|stunning|gorgeous|breathtaking|beautiful)(?![\p{L}\p{N}])/giu;

/** How much of a negated phrase is dropped: the first amount that leaves something to search for. */
const AMOUNTS: readonly ((rest: string) => string)[] = [
  () => " ",
  (rest) => ` ${rest.replace(/^\S+/u, "")} `,
  (rest) => ` ${rest} `,
];

/** Takes negative wording, HEX colors and quality words out of a query. */
export function cleanQuery(query: string): CleanedQuery {
  const whole = query.toWellFormed().replace(/\s+/g, " ").trim();
  const colors: string[] = [];
  const quality: string[] = [];
  const plain = whole
    .replace(COLOR, (color) => taken(color, colors))
    .replace(QUALITY, (words, offset: number, text: string) =>
      isTitle(words, text.slice(offset + words.length)) ? words : taken(words, quality),
    );
  let negations: readonly string[] = [];
  for (const amount of AMOUNTS) {
    const dropped = dropNegations(plain, amount);
    negations = dropped.negations;
    const removed = negations.length + colors.length + quality.length > 0;
    const tidy = removed ? tidied(dropped.text) : whole;
    if (/[\p{L}\p{N}]/u.test(tidy)) return { text: tidy, negations, colors, quality };
  }
  return { text: whole, negations, colors, quality };
}

/** What a caller should know about a query before its pictures disappoint. */
export function queryWarnings(query: string): RequestWarning[] {
  const { negations, colors, quality } = cleanQuery(query);
  const warnings: RequestWarning[] = [
    {
      code: "negative-wording",
      words: negations,
      detail: `A keyword search takes negations literally; not searched for: ${quoted(negations)}. Write names with capitals.`,
    },
    { code: "hex-color", words: colors, detail: `Color codes find nothing; not searched for: ${quoted(colors)}.` },
    {
      code: "quality-words",
      words: quality,
      detail: `Words of quality find their own name in titles; not searched for: ${quoted(quality)}.`,
    },
  ];
  return warnings.filter(({ words }) => words.length > 0);
}

function dropNegations(query: string, amount: (rest: string) => string): { text: string; negations: string[] } {
  const negations: string[] = [];
  const text = query
    .replace(NEGATION, (phrase, sign: string, rest: string) => {
      if (isName(sign, rest)) return phrase;
      negations.push(phrase.trim());
      return amount(rest);
    })
    .replace(MINUS_WORD, (word) => taken(word, negations))
    .replace(CJK_NEGATION, (phrase) => taken(phrase, negations));
  return { text, negations };
}

/** `No Time to Die`, `Doctors Without Borders`, `Chanel No 5`; but not `No People`. */
function isName(sign: string, rest: string): boolean {
  const next = rest.trimStart();
  const word = /^[\p{L}\p{N}]+/u.exec(next)?.[0] ?? "";
  return /^\p{Lu}/u.test(sign) && /^[\p{Lu}\p{N}]/u.test(next) && !UNWANTED_THINGS.has(fold(word));
}

/** `A Beautiful Mind`: one adjective with a capital, before another word with one. */
function isTitle(words: string, after: string): boolean {
  return /^(?:Beautiful|Stunning|Gorgeous|Breathtaking)$/.test(words) && /^ \p{Lu}/u.test(after);
}

function taken(words: string, list: string[]): string {
  list.push(words.trim());
  return " ";
}

/** Closes the gaps: doubled pauses, empty brackets, and joining words that now join nothing. */
function tidied(text: string): string {
  const joined = text
    .replace(/[(（]\s*[)）]/gu, " ")
    .replace(/\s+(?=[,;.!?，。；！？、])/gu, "")
    .replace(/([,;.，。；、])(?:\s*[,;.，。；、])+/gu, "$1")
    .replace(/\s+/g, " ");
  const words = joined.replace(/^[\s,;.:!?，。；、-]+|[\s,;:，；、-]+$/gu, "").split(" ");
  while (words.length > 1 && joinsNothing(words[0])) words.shift();
  while (words.length > 1 && joinsNothing(words.at(-1))) words.pop();
  return words.join(" ");
}

function joinsNothing(word: string | undefined): boolean {
  return word !== undefined && !/^\p{Lu}{2}/u.test(word) && STOP_WORDS.has(word.toLowerCase());
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(", ");
}
