/** What an image may be called. */

export const IMAGE_EXTENSIONS = ["jpg", "jpeg", "png", "webp"] as const;
export type ImageExtension = (typeof IMAGE_EXTENSIONS)[number];

export type FilenameVerdict =
  | { readonly ok: true; readonly stem: string; readonly extension: ImageExtension }
  | { readonly ok: false; readonly reason: string };

/** Room for a suffix within the 255 bytes of common file systems, and for a legible path in R2. */
const MAX_BYTES = 120;

/** Control characters, line ends, and marks that turn the reading direction and so disguise an extension. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A bare name with an extension that we can write. The stem keeps its case, the extension is lower case. */
export function checkFilename(name: string): FilenameVerdict {
  if (name.trim() === "") return refused("must not be empty");
  if (!name.isWellFormed() || UNSEEN.test(name)) return refused("must not hold control characters");
  if (/[/\\:]/.test(name)) return refused("must be a bare name, without `/`, `\\` or `:`");
  if (name.startsWith(".")) return refused("must not begin with a dot");
  if (name !== name.trim()) return refused("must not begin or end with a space");
  if (new TextEncoder().encode(name).length > MAX_BYTES) return refused(`must not be longer than ${MAX_BYTES} bytes`);
  const extension = IMAGE_EXTENSIONS.find((each) => each === extensionOf(name));
  if (extension === undefined)
    return refused(`must end in one of ${IMAGE_EXTENSIONS.map((each) => `.${each}`).join(", ")}`);
  return { ok: true, stem: stemOf(name), extension };
}

/** Lower case, without the dot; empty where there is none. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot <= 0 ? "" : filename.slice(dot + 1).toLowerCase();
}

export function stemOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return dot <= 0 ? filename : filename.slice(0, dot);
}

/** Equal for names that some file system takes for one. */
export function filenameKey(filename: string): string {
  return filename.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

export function sameFilenameIgnoringCase(one: string, other: string): boolean {
  return filenameKey(one) === filenameKey(other);
}

function refused(reason: string): FilenameVerdict {
  return { ok: false, reason };
}
