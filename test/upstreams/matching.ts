/** What a search looks through. */
export interface Searchable {
  readonly title: string;
  readonly tags: readonly string[];
}

const STOP_WORDS = new Set(
  "a an and at by de der die das du for from im in la le les of on or the to with und von".split(" "),
);
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/u;
const WORD_OR_RUN = new RegExp(`${CJK.source}|(?:(?!${CJK.source})[\\p{L}\\p{N}])+`, "gu");

/**
 * Records that hold at least half of the query's words in title or tags, those with most first, else in the order
 * given. Words match whole; runs of Chinese, Japanese and Korean by substring.
 */
export function search<T extends Searchable>(records: readonly T[], query: string): T[] {
  const wanted = tokensOf(query);
  if (wanted.length === 0) return [];
  return records
    .map((record) => ({ record, matched: matchedCount(record, wanted) }))
    .filter(({ matched }) => matched >= wanted.length / 2 && matched > 0)
    .toSorted((one, other) => other.matched - one.matched)
    .map(({ record }) => record);
}

function tokensOf(text: string): string[] {
  const all = [...new Set(folded(text).match(WORD_OR_RUN) ?? [])];
  const telling = all.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : all;
}

function matchedCount({ title, tags }: Searchable, wanted: readonly string[]): number {
  const text = folded(`${title} ${tags.join(" ")}`);
  const words = new Set(text.match(WORD_OR_RUN) ?? []);
  const spaceless = text.replaceAll(/\s/g, "");
  return wanted.filter((token) => (CJK.test(token) ? spaceless.includes(token) : words.has(token))).length;
}

/** Lower case, full-width forms and accents folded away. */
function folded(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").normalize("NFC").toLowerCase();
}
