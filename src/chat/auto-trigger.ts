import { type Occurrence, occurrences, type OwnWords, ownWords } from "./message-text.ts";
import {
  ADVICE_WORDS,
  IMAGE_PATTERNS,
  NEGATION_FILLERS_VI,
  NEGATION_STARTS_VI,
  NEGATION_VERBS_VI,
  NEGATIONS,
  OTHER_MEANINGS_EN,
  OTHER_MEANINGS_VI,
  QUESTION_WORDS,
  REALTIME_WORDS_EN,
  REALTIME_WORDS_VI,
  SEARCH_WORDS,
} from "./trigger-words.ts";

export const SEARCH_MODES = ["auto", "always", "never"] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface TriggerInput {
  readonly message: string;
  /** Tool ids that the caller chose. They run whatever is decided here. */
  readonly tools: readonly string[];
  readonly mode: SearchMode;
  readonly hasImage: boolean;
}

export interface Reason {
  readonly rule:
    | "mode"
    | "explicit-tool"
    | "negation"
    | "search-word"
    | "realtime-word"
    | "advice-word"
    | "question"
    | "image-pattern";
  /** The word, phrase or tool that it is about. */
  readonly match: string;
  readonly score: number;
}

export interface SearchDecision {
  /** The web is searched, by a chosen tool or by one that is added. */
  readonly search: boolean;
  /** The origin of an image is looked for, likewise. */
  readonly reverseImage: boolean;
  /** What has to be added to the chosen tools. */
  readonly added: readonly ("google-search" | "reverse-image")[];
  /** Sum over the reasons for a web search; from 1 it is searched. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** Each of these is a web search: none needs to be added to it. */
const WEB_TOOLS: ReadonlySet<string> = new Set(["google-search", "deep-research", "serpapi-bing", "serpapi-baidu"]);
const REVERSE_TOOLS: ReadonlySet<string> = new Set(["reverse-image", "serpapi-reverse-image", "saucenao"]);

const THRESHOLD = 1;
/** A single syllable that was typed without accents is as likely another word: two of them are needed. */
const UNSURE = 0.5;
const QUESTION = 0.25;

/** Whether a message wants a web search or a search for its image, and why. */
export function decideSearch({ message, tools, mode, hasImage }: TriggerInput): SearchDecision {
  const web = tools.find((tool) => WEB_TOOLS.has(tool));
  const reverse = tools.find((tool) => REVERSE_TOOLS.has(tool));
  const explicit = [web, reverse].flatMap((tool): Reason[] =>
    tool === undefined ? [] : [{ rule: "explicit-tool", match: tool, score: tool === web ? THRESHOLD : 0 }],
  );
  const decided = (search: boolean, image: boolean, reasons: readonly Reason[]): SearchDecision => ({
    search: search || web !== undefined,
    reverseImage: image || reverse !== undefined,
    added: [
      ...(search && web === undefined ? (["google-search"] as const) : []),
      ...(image && reverse === undefined ? (["reverse-image"] as const) : []),
    ],
    score: explicit.concat(reasons).reduce((sum, { score }) => sum + score, 0),
    reasons: [...explicit, ...reasons],
  });

  if (mode === "never") return decided(false, false, [{ rule: "mode", match: mode, score: 0 }]);
  const words = ownWords(message);
  const images = hasImage ? IMAGE_PATTERNS.flatMap((pattern) => occurrences(words, pattern)) : [];
  const imageReasons = longestOnly(images).map(({ phrase }): Reason => ({
    rule: "image-pattern",
    match: phrase,
    score: 0,
  }));
  if (mode === "always") {
    return decided(true, images.length > 0, [{ rule: "mode", match: mode, score: THRESHOLD }, ...imageReasons]);
  }
  const negation = negationIn(words);
  if (negation !== undefined) return decided(false, false, [{ rule: "negation", match: negation, score: 0 }]);
  const textReasons = reasonsIn(words, images);
  const score = textReasons.reduce((sum, reason) => sum + reason.score, 0);
  return decided(score >= THRESHOLD, images.length > 0, [...textReasons, ...imageReasons]);
}

interface Weighed extends Occurrence {
  readonly rule: Reason["rule"];
  readonly score: number;
}

/** Reasons for a web search. What already asks for the image's origin asks for nothing else. */
function reasonsIn(words: OwnWords, images: readonly Occurrence[]): Reason[] {
  const taken = [...otherMeanings(words), ...images];
  const kinds: readonly [Reason["rule"], readonly string[], number, boolean][] = [
    ["search-word", SEARCH_WORDS, THRESHOLD, false],
    ["realtime-word", REALTIME_WORDS_VI, THRESHOLD, false],
    ["realtime-word", REALTIME_WORDS_EN, THRESHOLD, true],
    ["advice-word", ADVICE_WORDS, UNSURE, false],
    ["question", QUESTION_WORDS, QUESTION, false],
  ];
  const found = kinds.flatMap(([rule, phrases, weight, plural]) =>
    phrases.flatMap((phrase) =>
      occurrences(words, phrase, plural)
        .filter((occurrence) => !taken.some((range) => overlap(range, occurrence)))
        .map((occurrence): Weighed => ({ ...occurrence, rule, score: weightOf(occurrence, weight) })),
    ),
  );
  const reasons = longestOnly(found).map(({ rule, phrase, score }): Reason => ({ rule, match: phrase, score }));
  if (/[?？]\s*$/.test(words.text)) reasons.push({ rule: "question", match: "?", score: QUESTION });
  return onceEach(reasons);
}

function weightOf({ phrase, accented }: Occurrence, weight: number): number {
  return accented || phrase.includes(" ") ? weight : Math.min(weight, UNSURE);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function otherMeanings(words: OwnWords): Range[] {
  const english = OTHER_MEANINGS_EN.flatMap((pattern) => [...words.folded.matchAll(pattern)]).map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
  return [...english, ...OTHER_MEANINGS_VI.flatMap((phrase) => occurrences(words, phrase))];
}

function overlap(a: Range, b: Range): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Of overlapping occurrences the longest: `tìm kiếm` is one reason and not two. */
function longestOnly<T extends Occurrence>(found: readonly T[]): T[] {
  const kept: T[] = [];
  for (const each of found.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    if (!kept.some((other) => overlap(each, other))) kept.push(each);
  }
  return kept.toSorted((a, b) => a.from - b.from);
}

/** A word that is repeated is no further reason. */
function onceEach(reasons: readonly Reason[]): Reason[] {
  return reasons.filter(
    ({ rule, match }, index) => reasons.findIndex((other) => other.rule === rule && other.match === match) === index,
  );
}

function negationIn(words: OwnWords): string | undefined {
  for (const pattern of NEGATIONS) {
    const match = [...words.text.matchAll(pattern)][0];
    if (match !== undefined) return match[0];
  }
  for (const start of NEGATION_STARTS_VI) {
    for (const opening of occurrences(words, start)) {
      const verb = verbBehind(words, opening.to);
      if (verb !== undefined) return `${start} ${verb}`;
    }
  }
  return undefined;
}

/** The verb that follows at once, or behind fillers: `đừng có tìm`. `tìm hiểu` and `tìm thấy` are other verbs. */
function verbBehind(words: OwnWords, from: number): string | undefined {
  let at = from;
  for (let passed = 0; passed < 3; passed++) {
    const follows = (phrase: string) =>
      occurrences(words, phrase).find((each) => /^\s+$/.test(words.text.slice(at, each.from)) && each.from >= at);
    const verb = NEGATION_VERBS_VI.find((phrase) => follows(phrase) !== undefined);
    if (verb !== undefined) {
      const { to } = follows(verb)!;
      return /^\s+(?:hiểu|hieu|thấy|thay|ra)(?!\p{L})/u.test(words.text.slice(to)) ? undefined : verb;
    }
    const filler = NEGATION_FILLERS_VI.map(follows).find((each) => each !== undefined);
    if (filler === undefined) return undefined;
    at = filler.to;
  }
  return undefined;
}
