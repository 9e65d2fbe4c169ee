import { sniffImage } from "../pixels/sniff.ts";

export interface DataImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mime: string;
  readonly extension: string;
}

const TYPES = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);

/** The image in a base64 data URL, or what is wrong with it. What the bytes are counts, whatever the URL says of them. */
export function readDataImage(dataUrl: string): DataImage | { readonly fault: string } {
  const match = /^data:image\/[\w.+-]+;base64,/i.exec(dataUrl);
  if (match === null) return { fault: "must be a base64 data URL of an image" };
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.fromBase64(dataUrl.slice(match[0].length));
  } catch {
    return { fault: "is not valid base64" };
  }
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "refused") return { fault: sniffed.detail };
  if (!TYPES.has(sniffed.mime)) return { fault: "must be a JPEG, PNG, WebP or GIF" };
  return { bytes, mime: sniffed.mime, extension: sniffed.extension };
}
