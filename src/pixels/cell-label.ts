import { type Color, crossOut, fillRectangle, place, type Rectangle, strokeRectangle } from "./canvas.ts";
import type { Raster } from "./raster.ts";
import { isDrawable, renderLine, type TextLine } from "./text.ts";

/** What stands under a picture. */
export interface CellLabel {
  readonly rank: number;
  readonly provider: string;
  readonly tier: string;
  /** Pixels of the original; 0 where unknown. */
  readonly originalWidth: number;
  readonly originalHeight: number;
  /** What the candidate's metadata does not confirm and a look at the picture must. */
  readonly nearMatch?: string;
}

/** Pixels under a picture's frame. */
export const LABEL_HEIGHT = 52;
/** Pixels that a near match takes in addition. */
export const MARK_HEIGHT = 32;

export const FRAME_GROUND: Color = 0xf6f8fa;
const INK: Color = 0x1f2328;
const QUIET: Color = 0x57606a;
const WHITE: Color = 0xffffff;
const MARK_GROUND: Color = 0xfff3c4;
const MARK_LINE: Color = 0xd4a72c;
const MARK_INK: Color = 0x6b4100;
const FAULT: Color = 0xcf222e;

const PADDING = 8;
const BADGE = { width: 44, height: 44 };

/** Rank on a dark badge; beside it provider and original size, and the license tier; below, what is to be verified. */
export function drawLabel(canvas: Raster, frame: Rectangle, label: CellLabel): void {
  const { left, width } = frame;
  const top = frame.top + frame.height + PADDING;
  const badge = { left, top, width: Math.min(BADGE.width, width), height: BADGE.height };
  fillRectangle(canvas, badge, INK);
  drawCentered(canvas, { text: String(label.rank), size: 24, color: WHITE, ground: INK }, badge, top + 9);
  const beside = { left: left + badge.width + PADDING, width: width - badge.width - PADDING };
  const source = `${label.provider}  ${sizeText(label)}`;
  drawLine(canvas, { text: source, size: 18, color: INK, ground: WHITE }, { ...beside, top: top + 1 });
  drawLine(canvas, { text: label.tier, size: 17, color: QUIET, ground: WHITE }, { ...beside, top: top + 23 });
  if (label.nearMatch === undefined) return;
  const mark = { left, top: frame.top + frame.height + LABEL_HEIGHT + 4, width, height: MARK_HEIGHT - 4 };
  drawMark(canvas, mark, label.nearMatch);
}

/** In place of a picture: crossed out, with the reason. */
export function drawUnreadable(canvas: Raster, frame: Rectangle, why: string): void {
  crossOut(canvas, frame, FAULT);
  const band = { ...frame, top: frame.top + Math.floor(frame.height / 2) - 29, height: 58 };
  fillRectangle(canvas, band, FRAME_GROUND);
  const fault = { text: "unreadable", size: 20, color: FAULT, ground: FRAME_GROUND };
  drawCentered(canvas, fault, band, band.top + 5);
  const reason = { text: isDrawable(why) ? why : "see page", size: 15, color: QUIET, ground: FRAME_GROUND };
  drawCentered(canvas, reason, band, band.top + 32);
}

function drawMark(canvas: Raster, band: Rectangle, nearMatch: string): void {
  fillRectangle(canvas, band, MARK_GROUND);
  strokeRectangle(canvas, band, MARK_LINE, 1);
  const text = `verify: ${isDrawable(nearMatch) ? nearMatch : "see page"}`;
  const line = { text, size: 18, color: MARK_INK, ground: MARK_GROUND };
  drawLine(canvas, line, { left: band.left + PADDING, top: band.top + 4, width: band.width - 2 * PADDING });
}

function drawLine(
  canvas: Raster,
  line: TextLine,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
): void {
  place(canvas, renderLine(line, width), left, top);
}

function drawCentered(canvas: Raster, line: TextLine, { left, width }: Rectangle, top: number): void {
  const picture = renderLine(line, width - PADDING);
  place(canvas, picture, left + Math.floor((width - picture.width) / 2), top);
}

function sizeText({ originalWidth, originalHeight }: CellLabel): string {
  return originalWidth > 0 && originalHeight > 0 ? `${originalWidth} \u00d7 ${originalHeight}` : "size unknown";
}
