import { draw_text_with_color, Rgba } from "@cf-wasm/photon";
import { blankCanvas, type Color, fillRectangle } from "./canvas.ts";
import { photonOf, rasterOf, withImage } from "./photon.ts";
import type { Raster } from "./raster.ts";

/** One line in Photon's own font (Roboto, which has no Chinese, Japanese or Korean). */
export interface TextLine {
  readonly text: string;
  /** Pixels from ascender to descender. */
  readonly size: number;
  readonly color: Color;
  readonly ground: Color;
}

/** Latin with its accents, and Cyrillic: anything else would be drawn as empty boxes. */
const DRAWABLE = /^[\u0020-\u007e\u00a0-\u017f\u0400-\u0482\u2013\u2014\u2018-\u201e\u2026]*$/;

/** Of the size: from the top of the ascenders to below the descenders. */
const LINE_HEIGHT = 1.2;

export function isDrawable(text: string): boolean {
  return DRAWABLE.test(text.normalize("NFC"));
}

/**
 * A picture of a line, just as wide as its ink and shortened to at most `maxWidth` pixels. Only this strip goes through
 * Photon, which copies the whole picture for every text that it draws.
 */
export function renderLine(line: TextLine, maxWidth: number): Raster {
  // No character is narrower than two pixels: a text of any length takes little memory.
  const text = line.text.normalize("NFC").slice(0, Math.ceil(maxWidth / 2));
  let strip = rendered(line, text);
  // Every round cuts at least one character, and usually one round is enough.
  for (let kept = text.length; strip.width > maxWidth && kept > 0;) {
    kept = Math.min(kept - 1, Math.floor((kept * maxWidth) / strip.width));
    strip = rendered(line, `${text.slice(0, kept).trimEnd()}\u2026`);
  }
  return strip.width > maxWidth ? blankCanvas(0, 0) : strip;
}

/** A picture just as wide as the text. */
function rendered({ size, color, ground }: TextLine, text: string): Raster {
  // No character of the font is wider than it is high.
  const width = Math.max(1, Math.ceil(size * text.length));
  const sheet = blankCanvas(width, Math.ceil(size * LINE_HEIGHT));
  fillRectangle(sheet, { left: 0, top: 0, width, height: sheet.height }, ground);
  const drawn = withImage(photonOf(sheet), (image) => {
    // The call takes the color over and frees it.
    draw_text_with_color(image, text, 0, 0, size, new Rgba(color >> 16, (color >> 8) & 0xff, color & 0xff, 255));
    return rasterOf(image);
  });
  return croppedTo(drawn, inkWidth(drawn, ground));
}

function inkWidth({ pixels, width, height }: Raster, ground: Color): number {
  for (let x = width - 1; x >= 0; x--) {
    for (let y = 0; y < height; y++) {
      const at = (y * width + x) * 4;
      if (((pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!) !== ground) return x + 1;
    }
  }
  return 0;
}

function croppedTo({ pixels, width: from, height }: Raster, width: number): Raster {
  const cropped = blankCanvas(width, height);
  for (let row = 0; row < height; row++) {
    cropped.pixels.set(pixels.subarray(row * from * 4, (row * from + width) * 4), row * width * 4);
  }
  return cropped;
}
