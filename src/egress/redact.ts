const MASK = "[redacted]";
/** Query and JSON member names whose values are keys on the wires that we speak. */
const NAMED_SECRET = /\b(key|api_key|apikey|access_token|client_secret|token|signature)(=|"\s*:\s*")[^&\s"'<>]+/gi;
const AUTH_SCHEME = /\b(Bearer|Basic|Client-ID)\s+[\w~+/=.:-]{6,}/gi;

const made = new WeakMap<readonly string[], (text: string) => string>();

/** `makeRedactor` of a list that stays the same for many texts, as a configuration's does. */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const known = made.get(secrets) ?? makeRedactor(secrets);
  made.set(secrets, known);
  return known;
}

/** Removes every configured secret, plain or percent-encoded, and whatever stands where keys usually stand. */
export function makeRedactor(secrets: readonly string[]): (text: string) => string {
  // The longest first, so that a secret which contains another goes whole.
  const known = [...new Set(secrets.filter((secret) => secret.length >= 4).flatMap(spellings))].toSorted(
    (a, b) => b.length - a.length,
  );
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, MASK);
    return clean.replace(NAMED_SECRET, `$1$2${MASK}`).replace(AUTH_SCHEME, `$1 ${MASK}`);
  };
}

function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), btoa(unescape8bit(secret))];
}

/** btoa takes bytes only. */
function unescape8bit(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
