import { imageSize } from "image-size";

export type ImageKind = "jpeg" | "png" | "webp" | "gif" | "bmp" | "tiff";
export interface SniffedImage {
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
  readonly mime: string;
  readonly extension: string;
}
export interface SniffRefusal {
  readonly kind: "refused";
  readonly reason: string;
  readonly detail: string;
}
const KINDS: Record<string, readonly [ImageKind, string, string]> = {
  jpg: ["jpeg", "image/jpeg", "jpg"], png: ["png", "image/png", "png"], webp: ["webp", "image/webp", "webp"],
  gif: ["gif", "image/gif", "gif"], bmp: ["bmp", "image/bmp", "bmp"], tiff: ["tiff", "image/tiff", "tiff"],
};
export function sniffImage(bytes: Uint8Array): SniffedImage | SniffRefusal {
  try {
    const size = imageSize(bytes);
    const kind = KINDS[size.type ?? ""];
    if (kind === undefined) return { kind: "refused", reason: "unsupported", detail: `the file is ${size.type}` };
    const turned = (size.orientation ?? 1) >= 5;
    return { kind: kind[0], mime: kind[1], extension: kind[2], orientation: size.orientation ?? 1,
      width: turned ? size.height : size.width, height: turned ? size.width : size.height };
  } catch {
    return { kind: "refused", reason: "unknown", detail: "the file is no image" };
  }
}
