import type { Size } from "./bytes.ts";
import { blankCanvas, crossOut, fillRectangle, place, type Rectangle, strokeRectangle } from "./canvas.ts";
import { decodeWithin } from "./decode.ts";
import { encodeJpeg } from "./photon.ts";
import type { Raster } from "./raster.ts";
import { layOutSheet, MARK_HEIGHT, type PlacedCell } from "./sheet-layout.ts";
import { type SniffedImage, sniffImage } from "./sniff.ts";
import { checkStructure } from "./structure.ts";
import { drawLine, isDrawable } from "./text.ts";

/** One candidate on a review sheet. */
export interface SheetCell {
  readonly rank: number;
  readonly provider: string;
  readonly tier: string;
  /** Pixels of the original; 0 where unknown. */
  readonly originalWidth: number;
  readonly originalHeight: number;
  /** What the candidate's metadata does not confirm and a look at the picture must. */
  readonly nearMatch?: string;
  /** A whole file, near the size of the cell. */
  readonly image: Uint8Array | { readonly unreadable: string };
}

export interface ReviewSheet extends Size {
  readonly jpeg: Uint8Array<ArrayBuffer>;
}

const QUALITY = 85;
const INK = 0x1f2328;
const QUIET = 0x57606a;
const WHITE = 0xffffff;
const FRAME_GROUND = 0xf6f8fa;
const FRAME_LINE = 0xd0d7de;
const MARK_GROUND = 0xfff3c4;
const MARK_LINE = 0xd4a72c;
const MARK_INK = 0x7a4b00;
const FAULT = 0xcf222e;
const PADDING = 8;
const RANK_WIDTH = 44;
/** The shape of a cell whose picture cannot be shown. */
const NO_PICTURE: Size = { width: 960, height: 640 };

/**
 * One JPEG to choose candidates from, for a vision model or a person: four columns of pictures 360 pixels wide on white
 * (fewer for fewer cells), under each its rank, provider, license tier, original size and, on a near match, what is to
 * be verified. A picture that cannot be read keeps its cell and says so.
 */
export function makeReviewSheet(cells: readonly SheetCell[]): ReviewSheet {
  const contents = cells.map(contentOf);
  const shapes = contents.map((content, index) => ({
    picture: "unreadable" in content ? NO_PICTURE : content.sniffed,
    marked: cells[index]!.nearMatch !== undefined,
  }));
  const layout = layOutSheet(shapes);
  const canvas = blankCanvas(layout.width, layout.height);
  for (const [index, cell] of cells.entries()) {
    const placed = layout.cells[index]!;
    drawPicture(canvas, placed, contents[index]!);
    drawLabel(canvas, placed.frame, cell);
  }
  return { jpeg: encodeJpeg(canvas, QUALITY), width: layout.width, height: layout.height };
}

type Content = { readonly bytes: Uint8Array; readonly sniffed: SniffedImage } | { readonly unreadable: string };

function contentOf({ image }: SheetCell): Content {
  if ("unreadable" in image) return image;
  const sniffed = sniffImage(image);
  if (sniffed.kind === "refused") return { unreadable: sniffed.detail };
  const broken = checkStructure(image, sniffed);
  return broken === undefined ? { bytes: image, sniffed } : { unreadable: broken.detail };
}

function drawPicture(canvas: Raster, { frame, picture }: PlacedCell, content: Content): void {
  fillRectangle(canvas, frame, FRAME_GROUND);
  const raster = "unreadable" in content ? undefined : decodeWithin(content.bytes, content.sniffed, picture);
  if (raster === undefined || "reason" in raster) {
    const why = raster?.detail ?? ("unreadable" in content ? content.unreadable : "");
    drawUnreadable(canvas, frame, why);
  } else {
    place(canvas, raster, picture.left, picture.top);
  }
  strokeRectangle(canvas, frame, FRAME_LINE, 1);
}

function drawUnreadable(canvas: Raster, frame: Rectangle, why: string): void {
  crossOut(canvas, frame, FAULT);
  const band = { ...frame, top: frame.top + Math.floor(frame.height / 2) - 30, height: 60 };
  fillRectangle(canvas, band, FRAME_GROUND);
  const left = band.left + PADDING;
  const width = band.width - 2 * PADDING;
  drawLine(canvas, { text: "unreadable", size: 20, color: FAULT, ground: FRAME_GROUND }, left, band.top + 6, width);
  if (isDrawable(why)) {
    drawLine(canvas, { text: why, size: 14, color: QUIET, ground: FRAME_GROUND }, left, band.top + 34, width);
  }
}

function drawLabel(canvas: Raster, { left, top, width, height }: Rectangle, cell: SheetCell): void {
  const first = top + height + 6;
  const rank = { text: String(cell.rank), size: 20, color: WHITE, ground: INK };
  const rankWidth = Math.max(RANK_WIDTH, 13 * rank.text.length + 2 * PADDING);
  fillRectangle(canvas, { left, top: first, width: Math.min(rankWidth, width), height: 44 }, INK);
  drawLine(canvas, rank, left + Math.floor((rankWidth - textWidth(rank)) / 2), first + 11, width);
  const beside = left + rankWidth + PADDING;
  const room = left + width - beside;
  const size =
    cell.originalWidth > 0 && cell.originalHeight > 0
      ? `${cell.originalWidth} \u00d7 ${cell.originalHeight}`
      : "size unknown";
  drawLine(canvas, { text: `${cell.provider}  ${size}`, size: 18, color: INK, ground: WHITE }, beside, first + 1, room);
  drawLine(canvas, { text: cell.tier, size: 16, color: QUIET, ground: WHITE }, beside, first + 24, room);
  if (cell.nearMatch !== undefined) drawMark(canvas, { left, top: first + 50, width, height: MARK_HEIGHT - 4 }, cell.nearMatch);
}

function drawMark(canvas: Raster, band: Rectangle, nearMatch: string): void {
  fillRectangle(canvas, band, MARK_GROUND);
  strokeRectangle(canvas, band, MARK_LINE, 1);
  const text = isDrawable(nearMatch) ? `verify: ${nearMatch}` : "verify: see page";
  const line = { text, size: 17, color: MARK_INK, ground: MARK_GROUND };
  drawLine(canvas, line, band.left + PADDING, band.top + 4, band.width - 2 * PADDING);
}
