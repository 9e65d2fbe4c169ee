import type { SniffedImage, SniffRefusal } from "./sniff.ts";
export function checkStructure(_bytes: Uint8Array, _sniffed: SniffedImage): SniffRefusal | undefined { return undefined; }
