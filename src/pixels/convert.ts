import type { SniffedImage, SniffRefusal } from "./sniff.ts";
export function fitToFilename(bytes: Uint8Array<ArrayBuffer>, s: SniffedImage, _extension: string): { bytes: Uint8Array<ArrayBuffer>; contentType: string; width: number; height: number } | SniffRefusal {
  return { bytes, contentType: s.mime, width: s.width, height: s.height };
}
