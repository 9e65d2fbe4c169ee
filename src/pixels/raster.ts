import type { Size } from "./bytes.ts";

/** Pixels in rows from the top left, four bytes each: red, green, blue, alpha (not premultiplied). */
export interface Raster extends Size {
  readonly pixels: Uint8Array;
}

/** Scaled to lie within `box`, proportions kept, at least 1 × 1, and never upscaled. */
export function fitWithin({ width, height }: Size, box: Size): Size {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Puts the picture on white, in place. */
export function flattenOnWhite({ pixels }: Raster): void {
  for (let at = 3; at < pixels.length; at += 4) {
    const alpha = pixels[at]!;
    if (alpha === 255) continue;
    const white = 255 * (255 - alpha);
    for (let channel = at - 3; channel < at; channel++) {
      pixels[channel] = Math.round((pixels[channel]! * alpha + white) / 255);
    }
    pixels[at] = 255;
  }
}

/** Each pixel the mean of `factor` × `factor` ones. For opaque pictures: colors are not weighted by alpha. */
export function shrinkByWhole({ pixels, width, height }: Raster, factor: number): Raster {
  const shrunk = {
    pixels: new Uint8Array(Math.floor(width / factor) * Math.floor(height / factor) * 4),
    width: Math.floor(width / factor),
    height: Math.floor(height / factor),
  };
  const area = factor * factor;
  let to = 0;
  for (let y = 0; y < shrunk.height; y++) {
    for (let x = 0; x < shrunk.width; x++) {
      let red = area >> 1;
      let green = red;
      let blue = red;
      for (let row = 0; row < factor; row++) {
        let from = ((y * factor + row) * width + x * factor) * 4;
        for (let column = 0; column < factor; column++, from += 4) {
          red += pixels[from]!;
          green += pixels[from + 1]!;
          blue += pixels[from + 2]!;
        }
      }
      shrunk.pixels[to] = red / area;
      shrunk.pixels[to + 1] = green / area;
      shrunk.pixels[to + 2] = blue / area;
      shrunk.pixels[to + 3] = 255;
      to += 4;
    }
  }
  return shrunk;
}

/** Turned and mirrored so that it is shown as Exif orientation 1–8 wants it (CIPA DC-008, tag 0x0112). */
export function upright(raster: Raster, orientation: number): Raster {
  const { width: w, height: h } = raster;
  const last = w * h - 1;
  /** Where the shown picture begins in the stored one, and the steps there for one pixel right and one down. */
  const walks: readonly (readonly [start: number, right: number, down: number])[] = [
    [0, 1, w],
    [w - 1, -1, w],
    [last, -1, -w],
    [last - w + 1, 1, -w],
    [0, w, 1],
    [last - w + 1, -w, 1],
    [last, -w, -1],
    [w - 1, w, -1],
  ];
  const walk = walks[orientation - 1];
  if (orientation === 1 || walk === undefined) return raster;
  const [start, right, down] = walk;
  const shown = orientation >= 5 ? { width: h, height: w } : { width: w, height: h };
  const source = new Uint32Array(raster.pixels.buffer, raster.pixels.byteOffset, w * h);
  const target = new Uint32Array(w * h);
  let to = 0;
  for (let y = 0; y < shown.height; y++) {
    for (let x = 0, from = start + y * down; x < shown.width; x++, from += right) target[to++] = source[from]!;
  }
  return { pixels: new Uint8Array(target.buffer), ...shown };
}
