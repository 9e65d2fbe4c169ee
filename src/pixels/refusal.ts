/**
 * - `empty`, `html`, `svg`, `pdf`, `avif`, `heic`, `jxl`, `unknown`: what the bytes are instead of a raster picture that
 *   can be handled
 * - `truncated`: the file ends early
 * - `malformed`: its parts contradict each other
 * - `too-large`: over the budget for decoding
 * - `unsupported`: a variant of a known format that cannot be decoded or written here
 * - `unreadable`: the decoder gave up
 */
export type PixelRefusalReason =
  | "empty"
  | "html"
  | "svg"
  | "pdf"
  | "avif"
  | "heic"
  | "jxl"
  | "unknown"
  | "truncated"
  | "malformed"
  | "too-large"
  | "unsupported"
  | "unreadable";

/** Why bytes are not taken as a picture. */
export interface PixelRefusal {
  readonly kind: "refused";
  readonly reason: PixelRefusalReason;
  /** A clause in our own words, for error messages. */
  readonly detail: string;
}

export function refused(reason: PixelRefusalReason, detail: string): PixelRefusal {
  return { kind: "refused", reason, detail };
}
