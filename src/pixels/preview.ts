import type { SniffRefusal } from "./sniff.ts";
export const MAX_REVIEW_SIDE = 1024;
export function makePreview(_b: Uint8Array, _side: number): { jpeg: Uint8Array<ArrayBuffer>; width: number; height: number } | SniffRefusal {
  return { kind: "refused", reason: "x", detail: "not yet" };
}
