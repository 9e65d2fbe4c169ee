import sharp, { type Sharp } from "sharp";
import type { Photograph, Picture } from "../catalogue/picture.ts";
import { pngBomb } from "./bomb.ts";
import { pdfBytes, svgText } from "./documents.ts";
import { mpo } from "./mpo.ts";
import { photographBytes } from "./photograph.ts";
import { render } from "./render.ts";

/** A file of an odd kind, and the type that its host claims. */
export interface OddFile {
  readonly contentType: string;
  make(): Promise<Uint8Array> | Uint8Array;
}

const FULL: Picture = { photograph: "boats", variant: 0, width: 1400, height: 1100 };
const FRAME = { width: 240, height: 180 };

/** By orientation: how the stored pixels are turned (degrees clockwise), then mirrored. */
const TURNED: readonly (readonly [degrees: number, mirror: "none" | "flip" | "flop"])[] = [
  [0, "none"],
  [0, "flop"],
  [180, "none"],
  [0, "flip"],
  [90, "flop"],
  [270, "none"],
  [90, "flip"],
  [90, "none"],
];

/** By file name under `https://odd.example/`. */
export const ODD_FILES: Readonly<Record<string, OddFile>> = {
  "truncated.jpg": { contentType: "image/jpeg", make: async () => half(await render(FULL, { format: "jpeg" })) },
  "truncated.png": { contentType: "image/png", make: async () => half(await render(FULL, { format: "png" })) },
  "truncated.webp": { contentType: "image/webp", make: async () => half(await render(FULL, { format: "webp" })) },
  "html.jpg": {
    contentType: "image/jpeg",
    make: () => encoded("<!DOCTYPE html><html><body>No picture</body></html>\n"),
  },
  "drawing.svg": { contentType: "image/svg+xml", make: () => encoded(svgText(1200, 840)) },
  "bomb.png": { contentType: "image/png", make: pngBomb },
  "cmyk.jpg": { contentType: "image/jpeg", make: () => photo().toColourspace("cmyk").jpeg().toBuffer() },
  "progressive.jpg": { contentType: "image/jpeg", make: () => photo().jpeg({ progressive: true }).toBuffer() },
  "16-bit.png": {
    contentType: "image/png",
    make: () => photo().resize(600).toColourspace("rgb16").png().toBuffer(),
  },
  "palette-alpha.png": {
    contentType: "image/png",
    make: () => photo().resize(600).ensureAlpha(0.6).png({ palette: true, colours: 32 }).toBuffer(),
  },
  "animated.gif": {
    contentType: "image/gif",
    make: async () => (await frames()).gif({ delay: [120, 120, 120] }).toBuffer(),
  },
  "animated.webp": {
    contentType: "image/webp",
    make: async () => (await frames()).webp({ delay: [120, 120, 120] }).toBuffer(),
  },
  "phone.mpo": { contentType: "image/mpo", make: phonePicture },
  "phone.jpeg": { contentType: "image/jpeg", make: phonePicture },
  "picture.avif": { contentType: "image/avif", make: () => photo().resize(600).avif({ effort: 0 }).toBuffer() },
  "picture.tif": { contentType: "image/tiff", make: () => photo().tiff({ compression: "lzw" }).toBuffer() },
  "empty.jpg": { contentType: "image/jpeg", make: () => new Uint8Array() },
  "huge.jpg": { contentType: "image/jpeg", make: hugeFile },
  "document.pdf": { contentType: "application/pdf", make: pdfBytes },
  "document.jpg": { contentType: "image/jpeg", make: pdfBytes },
  "tiny.jpg": { contentType: "image/jpeg", make: () => render({ ...FULL, width: 1, height: 1 }, { format: "jpeg" }) },
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`exif-${index + 1}.jpg`, exifPicture(index + 1)] as const),
  ),
};

/** Upright for a viewer that obeys the tag; exiftool.org/TagNames/EXIF.html, Orientation. */
function exifPicture(orientation: number): OddFile {
  const [degrees, mirror] = TURNED[orientation - 1]!;
  return {
    contentType: "image/jpeg",
    make: async () => {
      const upright = await photo().resize(900, 600).png().toBuffer();
      const turned = sharp(await sharp(upright).rotate(degrees).png().toBuffer());
      const stored = turned.flip(mirror === "flip").flop(mirror === "flop");
      return stored.withMetadata({ orientation }).jpeg({ quality: 80 }).toBuffer();
    },
  };
}

async function phonePicture(): Promise<Uint8Array> {
  const second = await render({ ...FULL, variant: 1 }, { format: "jpeg" });
  return mpo(await render(FULL, { format: "jpeg" }), second);
}

/** Three pictures one after the other. */
async function frames(): Promise<Sharp> {
  const shown: readonly Photograph[] = ["boats", "cat", "flower"];
  const inputs = await Promise.all(
    shown.map((photograph) => sharp(photographBytes(photograph)).resize(FRAME.width, FRAME.height).png().toBuffer()),
  );
  return sharp(inputs, { join: { animated: true } });
}

/** 60 MB that begin as a picture does. */
async function hugeFile(): Promise<Uint8Array> {
  const bytes = new Uint8Array(60 * 1024 * 1024);
  bytes.set(await render(FULL, { format: "jpeg" }));
  return bytes;
}

function photo(): Sharp {
  return sharp(photographBytes("boats"));
}

function half(bytes: Uint8Array): Uint8Array {
  return bytes.slice(0, Math.floor(bytes.byteLength / 2));
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
