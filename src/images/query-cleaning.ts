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
  /** There was nothing else to search for. */
  readonly sentAsIs: boolean;
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
  (rest) => ` ${rest.replace(new RegExp(`^(?:${QUALITY.source}|\\S+)`, "iu"), "")} `,
  (rest) => ` ${rest} `,
];

/** Takes negative wording, HEX colors and quality words out of a query. */
export function cleanQuery(query: string): CleanedQuery {
  const whole = query.toWellFormed().replace(/\s+/g, " ").trim();
  const attempts = AMOUNTS.map((amount) => cleaned(whole, amount));
  const best = attempts.find(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return best ?? { ...attempts[0]!, text: whole, sentAsIs: true };
}

/** What a caller should know about a query before its pictures disappoint. */
export function queryWarnings(query: string): RequestWarning[] {
  const { negations, colors, quality, sentAsIs } = cleanQuery(query);
  const effect = sentAsIs ? "searched for because nothing else is there" : "not searched for";
  const warnings: RequestWarning[] = [
    {
      code: "negative-wording",
      words: negations,
      detail: `A keyword search takes negations literally; ${effect}: ${quoted(negations)}. Write names with capitals.`,
    },
    { code: "hex-color", words: colors, detail: `Color codes find nothing; ${effect}: ${quoted(colors)}.` },
    {
      code: "quality-words",
      words: quality,
      detail: `Words of quality find their own name in titles; ${effect}: ${quoted(quality)}.`,
    },
  ];
  return warnings.filter(({ words }) => words.length > 0);
}

function cleaned(whole: string, amount: (rest: string) => string): CleanedQuery {
  const colors: string[] = [];
  const negations: string[] = [];
  const quality: string[] = [];
  const text = whole
    .replace(COLOR, (color) => taken(color, colors))
    .replace(NEGATION, (phrase, sign: string, rest: string) => {
      if (isName(sign, rest)) return phrase;
      negations.push(phrase.trim());
      return amount(rest);
    })
    .replace(MINUS_WORD, (word) => taken(word, negations))
    .replace(CJK_NEGATION, (phrase) => taken(phrase, negations))
    .replace(QUALITY, (words, offset: number, all: string) =>
      isTitle(words, all.slice(offset + words.length)) ? words : taken(words, quality),
    );
  const changed = colors.length + negations.length + quality.length > 0;
  return { text: changed ? tidied(text) : whole, negations, colors, quality, sentAsIs: !changed };
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
