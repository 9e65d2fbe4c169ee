import { cleanQuery } from "./query-cleaning.ts";
import { cosmeticKey, fold, scriptRuns } from "./text.ts";
import { STOP_WORDS, VISUAL_WORDS } from "./words.ts";

/** What a query asks of a picture's metadata, one entry per word. */
export interface RelevanceToken {
  /** Folded. */
  readonly text: string;
  /** Whole word, or in a script without word boundaries the overlapping pairs of characters. */
  readonly parts: readonly string[];
  readonly joint: boolean;
  /** `UK` and `5G` decide between equals, and on their own if there is nothing else. */
  readonly weight: number;
}

const RUNGS = [4, 3, 2, 1] as const;
const SHORT_WORD = 2;
const SHORT_WEIGHT = 0.1;

const SEPARATORS = /[\s,;，；、。！？：]+/u;
const EDGES = /^[.:!?"'“”‘’«»「」『』()[\]{}-]+|[.:!?"'“”‘’«»「」『』()[\]{}-]+$/gu;

/**
 * The queries to try for one explicit query, best first: itself without the words that no search understands, then its
 * first four, three, two and one words. No rung says what an earlier one says.
 */
export function queryLadder(query: string): string[] {
  const words = subjectWords(query);
  const rungs = [cleanQuery(query).text, ...RUNGS.map((count) => words.slice(0, count).join(" "))];
  const byKey = new Map<string, string>();
  for (const rung of rungs) {
    const key = cosmeticKey(rung);
    if (rung !== "" && !byKey.has(key)) byKey.set(key, rung);
  }
  return [...byKey.values()];
}

/** One search of a row: what to send, and the explicit query that it stands for. */
export interface PlannedQuery {
  readonly discoveryQuery: string;
  readonly words: string;
}

/** All searches of a row: every explicit query before any shortened one, and none that says what an earlier one says. */
export function queryPlan(queries: readonly string[]): PlannedQuery[] {
  const ladders = queries.map((discoveryQuery) =>
    queryLadder(discoveryQuery).map((words) => ({ discoveryQuery, words })),
  );
  const byKey = new Map<string, PlannedQuery>();
  for (const planned of [
    ...ladders.flatMap((rungs) => rungs.slice(0, 1)),
    ...ladders.flatMap((rungs) => rungs.slice(1)),
  ]) {
    const key = cosmeticKey(planned.words);
    if (!byKey.has(key)) byKey.set(key, planned);
  }
  return [...byKey.values()];
}

/** What relevance is counted on; empty for a query without any letter or digit. */
export function relevanceTokens(query: string): RelevanceToken[] {
  const byText = new Map<string, RelevanceToken>();
  const subject = subjectWords(query);
  for (const word of subject.length > 0 ? subject : wordsOf(cleanQuery(query).text)) {
    for (const { text, joint } of scriptRuns(word)) {
      if (!byText.has(text) && (joint || !isStrayLetter(text, word))) byText.set(text, token(text, joint));
    }
  }
  return [...byText.values()];
}

/** The words that name a subject, in order and as written. */
function subjectWords(query: string): string[] {
  const { text } = cleanQuery(query);
  const shouted = text === text.toUpperCase();
  const words = wordsOf(text.replace(/\([^)]*\)|（[^）]*）/gu, " "));
  const telling = words.filter((word) => !isStopWord(word, shouted));
  const concrete = telling.filter((word) => !VISUAL_WORDS.has(fold(word)));
  return concrete.length > 0 ? concrete : telling;
}

function wordsOf(text: string): string[] {
  return text
    .split(SEPARATORS)
    .map((word) => word.replace(EDGES, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isStopWord(word: string, shouted: boolean): boolean {
  if (/^\p{Lu}{2,}$/u.test(word) && !shouted) return false;
  return /^[a-z]$/.test(word) || STOP_WORDS.has(fold(word));
}

/** The `t` of `t-shirt` tells nothing. */
function isStrayLetter(text: string, word: string): boolean {
  return /^[a-z]$/.test(text) && fold(word) !== text;
}

function token(text: string, joint: boolean): RelevanceToken {
  const characters = [...text];
  if (!joint) {
    return { text, parts: [text], joint, weight: characters.length <= SHORT_WORD ? SHORT_WEIGHT : 1 };
  }
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return { text, parts: pairs.length > 0 ? pairs : [text], joint, weight: 1 };
}
