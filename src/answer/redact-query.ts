export interface RedactedQuery {
  readonly text: string;
  /** What was taken out, each kind once. */
  readonly redacted: readonly RedactedKind[];
}

export type RedactedKind = "key" | "email" | "phone";

/** Keys by the prefixes that their issuers give them, so that no plain word or number is taken for one. */
const KEY =
  /\b(?:sk-[\w-]{16,}|tvly-[\w-]{12,}|AIza[\w-]{30,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16})(?![\w-])|(?<=\bBearer )[\w~+/=.-]{16,}/g;
const EMAIL = /[\p{L}\p{N}][\p{L}\p{N}._%+-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu;
/** International form. Without dots: what has them is an address, a version or a decimal. */
const INTERNATIONAL = /(?<![\w+.])\+\d[\d ()-]{7,20}\d(?![\w.]?\d)/g;
/** North American form: area code in parentheses or hyphens between the groups, which no date has in these lengths. */
const NORTH_AMERICAN = /(?<![\w.-])(?:\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\w-])/g;

/**
 * A question without the e-mail addresses, telephone numbers and keys in it, which are nobody else's business. Dates,
 * years, IP addresses, decimals and long numbers stay: they are what is asked about.
 */
export function redactQuery(query: string): RedactedQuery {
  const redacted: RedactedKind[] = [];
  const without = (text: string, pattern: RegExp, kind: RedactedKind, isOne = (_found: string) => true) =>
    text.replaceAll(pattern, (found) => {
      if (!isOne(found)) return found;
      if (!redacted.includes(kind)) redacted.push(kind);
      return `[REDACTED_${kind.toUpperCase()}]`;
    });
  let text = without(query.trim(), KEY, "key");
  text = without(text, EMAIL, "email");
  text = without(text, INTERNATIONAL, "phone", hasTelephoneLength);
  text = without(text, NORTH_AMERICAN, "phone");
  return { text, redacted };
}

/** E.164 allows 15 digits; the shortest with a country code that are in wide use have 10. */
function hasTelephoneLength(found: string): boolean {
  const digits = found.replaceAll(/\D/g, "").length;
  return digits >= 10 && digits <= 15;
}
