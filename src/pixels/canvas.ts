import type { Raster } from "./raster.ts";

/** 0xRRGGBB. */
export type Color = number;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function blankCanvas(width: number, height: number): Raster {
  return { pixels: new Uint8Array(width * height * 4).fill(255), width, height };
}

/** Copies an opaque picture, which must lie within the canvas. */
export function place(canvas: Raster, picture: Raster, left: number, top: number): void {
  for (let row = 0; row < picture.height; row++) {
    const line = picture.pixels.subarray(row * picture.width * 4, (row + 1) * picture.width * 4);
    canvas.pixels.set(line, ((top + row) * canvas.width + left) * 4);
  }
}

export function fillRectangle(canvas: Raster, { left, top, width, height }: Rectangle, color: Color): void {
  if (width <= 0 || height <= 0) return;
  const line = new Uint8Array(width * 4);
  for (let at = 0; at < line.length; at += 4) line.set([color >> 16, (color >> 8) & 0xff, color & 0xff, 255], at);
  for (let row = top; row < top + height; row++) canvas.pixels.set(line, (row * canvas.width + left) * 4);
}

/** A frame of `thickness` pixels just inside the rectangle. */
export function strokeRectangle(canvas: Raster, box: Rectangle, color: Color, thickness: number): void {
  const { left, top, width, height } = box;
  fillRectangle(canvas, { left, top, width, height: thickness }, color);
  fillRectangle(canvas, { left, top: top + height - thickness, width, height: thickness }, color);
  fillRectangle(canvas, { left, top, width: thickness, height }, color);
  fillRectangle(canvas, { left: left + width - thickness, top, width: thickness, height }, color);
}

/** Both diagonals, three pixels wide. */
export function crossOut(canvas: Raster, { left, top, width, height }: Rectangle, color: Color): void {
  const steps = Math.max(width, height) - 3;
  for (let step = 0; step <= steps; step++) {
    const x = Math.round((step / steps) * (width - 3));
    const y = Math.round((step / steps) * (height - 3));
    fillRectangle(canvas, { left: left + x, top: top + y, width: 3, height: 3 }, color);
    fillRectangle(canvas, { left: left + width - 3 - x, top: top + y, width: 3, height: 3 }, color);
  }
}
