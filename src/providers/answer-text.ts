/** No answer is longer; more is a page that strayed into a field. */
const MAX_CHARACTERS = 20_000;

/**
 * Text that a model wrote, as it stands: markup and line breaks stay, since an answer may be about either. Control,
 * zero-width and bidirectional characters go, and runs of blanks shrink to one.
 */
export function answerText(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}]/gu, "")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
