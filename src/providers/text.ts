import { decodeHTMLStrict } from "entities";

/** No title, snippet or credit is longer; more is a page that strayed into a field. */
const MAX_CHARACTERS = 10_000;

const UNSEEN_ELEMENTS =
  /<(script|style)\b[^>]*>[\s\S]*?<\/\1\s*>|<(span|div)\b[^<>]*display:\s*none[^<>]*>[^<>]*<\/\2\s*>/gi;
const BREAKING_TAG = /<\/?(?:br|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|hr|section|article)\b[^<>]*>/gi;
/** Whatever is not plain already. */
const UNCLEAN = /[<&]|[\p{Cc}\p{Cf}\p{Cs}]/u;
const TAG = /<[a-z/!?][^<>]*>/gi;

/**
 * One line of text without markup: tags stripped, entities decoded, control, zero-width and bidirectional characters
 * removed, whitespace collapsed. Never contains a tag, even where upstream encoded its markup once more.
 */
export function plainText(markup: string): string {
  if (markup.length <= MAX_CHARACTERS && !UNCLEAN.test(markup)) return markup.replace(/\s+/g, " ").trim();
  // Strict: it leaves `&copy=2` in an address alone: it decodes only what ends in a semicolon.
  const decoded = decodeHTMLStrict(withoutTags(markup.slice(0, MAX_CHARACTERS)));
  // Invisible characters go first: one of them can stand between `<` and the name of a tag.
  const visible = decoded.replace(/[\t-\r\u0085]+/g, " ").replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "");
  return withoutTags(visible).replace(/\s+/g, " ").trim();
}

/** Repeats because a removed tag can close the gap in another: `<<b>script>`. */
function withoutTags(markup: string): string {
  let text = markup;
  for (;;) {
    const next = text.replace(UNSEEN_ELEMENTS, "").replace(BREAKING_TAG, " ").replace(TAG, "");
    if (next === text) return text;
    text = next;
  }
}
