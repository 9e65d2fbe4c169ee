/** Longest field that reaches a prompt, in characters. */
const LONGEST_FIELD = 1_000;

/** Controls but tab and line feed, format characters (zero-width, bidi, tags, soft hyphen), and code units without a pair. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}\p{Variation_Selector}]/gu;
const UNSEEN_BUT_LINES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

/** Runs that end a block in Markdown or in this prompt, also spaced out; each becomes one harmless sign. */
const RULE_RUN = /(?:[\p{Pd}_=*~#\u{2212}\u{2500}-\u{257f}][ \t]*){3,}/gu;
const TICKS = /[`´\u{2018}\u{ff40}]{2,}/gu;
const BRACKETS: readonly (readonly [RegExp, string])[] = [
  [/[<\u{ff1c}\u{fe64}](?=[|/<!]|\w)/gu, "‹"],
  [/\[(?=\/?(?:inst|system|end|begin|data))/giu, "("],
  [/[⟦⟧]/gu, "|"],
];
/** A line that pretends to be somebody else's turn. */
const FAKE_TURN = /^([\s>*#-]*)(system|assistant|user|developer|tool|human|instructions?)(\s*)[:\u{ff1a}]/iu;

/**
 * One field from outside, made unable to do anything but be read: one line without unseen characters, without a run or a
 * bracket that could end the block it stands in, and no longer than `longest` characters.
 */
export function neutralise(field: string, longest = LONGEST_FIELD): string {
  const line = field
    .replaceAll(/[\s\u{85}]+/gu, " ")
    .replaceAll(UNSEEN, "")
    .replaceAll(RULE_RUN, "– ")
    .replaceAll(TICKS, "'");
  const quiet = BRACKETS.reduce((text, [pattern, sign]) => text.replaceAll(pattern, sign), line)
    .replace(FAKE_TURN, "$1$2$3 –")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return shortened(quiet, longest);
}

/** An address, still the same address: what could end a block is percent-encoded. Empty where it is no http(s) URL. */
export function neutraliseLink(link: string, longest = LONGEST_FIELD): string {
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return "";
  const href = new URL(link).href
    .replaceAll(/-{3,}/g, (run) => `-${"%2D".repeat(run.length - 2)}-`)
    .replaceAll(/[`[\]<>|~]/g, (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`);
  return href.length <= longest ? href : "";
}

/** A field that may be an address or a text. */
export function neutraliseAny(field: string): string {
  return /^https?:\/\/\S+$/i.test(field) ? neutraliseLink(field) : neutralise(field);
}

/** A formatted block, of which each field has been neutralised: what no block needs is taken away once more. */
export function neutraliseBlock(block: string, longest: number): string {
  const seen = block.replaceAll(/\r\n?/g, "\n").replaceAll(UNSEEN_BUT_LINES, "").replaceAll(/[⟦⟧]/gu, "|");
  return shortened(seen, longest);
}

/** Cut between characters, never inside one. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
