/** What may become the target of a link or the source of a picture. Pure. */

/** The absolute address, if it is http or https and names no user. Whatever comes from upstream goes through here. */
export function webUrl(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const url = new URL(text);
    const isWeb = (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "";
    return isWeb ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The address on this origin of something that the deployment serves. It may name the origin that it knows itself by,
 * which need not be the one that the reader came to.
 */
export function ownPath(address: string): string {
  const url = new URL(address, "http://own.invalid");
  return url.pathname + url.search;
}

/** For a label: `en.wikipedia.org`. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, "");
}
