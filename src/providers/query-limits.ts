/** Cuts queries to what a provider takes: at a word, in scripts without spaces at a character. */

const SCRIPT_WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\u3000-\u303f\uff00-\uffef]/u;

/** At most `limit` UTF-16 units, which is never more than `limit` characters by any other count. */
export function cutToCharacters(query: string, limit: number): string {
  return cut(query, limit, (character) => character.length);
}

/** At most `limit` bytes of UTF-8. */
export function cutToBytes(query: string, limit: number): string {
  return cut(query, limit, bytesOf);
}

/** At most `limit` characters once percent-encoded for a URL. */
export function cutToEncoded(query: string, limit: number): string {
  return cut(query, limit, (character) => encodeURIComponent(character).length);
}

/** At most `limit` words, as separated by spaces. */
export function cutToWords(query: string, limit: number): string {
  return tidy(query).split(" ").slice(0, limit).join(" ");
}

function cut(query: string, limit: number, sizeOf: (character: string) => number): string {
  const text = tidy(query);
  let size = 0;
  let end = 0;
  let wordEnd = 0;
  let previousBreaks = false;
  for (const character of text) {
    const breaks = character === " " || SCRIPT_WITHOUT_SPACES.test(character);
    if (breaks || previousBreaks) wordEnd = end;
    size += sizeOf(character);
    // A single word over the limit has no better place to be cut than the limit.
    if (size > limit) return text.slice(0, wordEnd === 0 ? end : wordEnd).trimEnd();
    end += character.length;
    previousBreaks = breaks;
  }
  return text;
}

/** Lone surrogates become U+FFFD, so that encoding cannot throw. */
function tidy(query: string): string {
  return query.toWellFormed().replace(/\s+/g, " ").trim();
}

function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
