import type { Size } from "./bytes.ts";
import type { Rectangle } from "./canvas.ts";
import { LABEL_HEIGHT, MARK_HEIGHT } from "./cell-label.ts";
import { fitWithin } from "./raster.ts";

/** What goes into a cell, before it is drawn. */
export interface CellShape {
  /** Pixels of the picture. */
  readonly picture: Size;
  /** Whether the label has a mark under its lines. */
  readonly marked: boolean;
}

export interface PlacedCell {
  /** The ground on which the picture stands; as wide as the label under it. */
  readonly frame: Rectangle;
  readonly picture: Rectangle;
}

export interface SheetLayout extends Size {
  readonly cells: readonly PlacedCell[];
}

/** Neither side of a sheet is longer: larger pictures are scaled down by vision models before they are read. */
const MAX_SIDE = 1600;
const GAP = 32;
const COLUMNS = 4;
const CELL_WIDTH = (MAX_SIDE - GAP) / COLUMNS - GAP;
/** Between narrow cells. */
const SMALL_GAP = 16;
/** Cells of 116 pixels, over 90 on a sheet. With still more a sheet grows past the longest side, rather than lose some. */
const MAX_COLUMNS = 12;
/** Bounds of a frame's height, by its width. */
const TALLEST = 5 / 6;
const LOWEST = 1 / 3;

/** Rows of at most four cells of 360 pixels; more and narrower columns only where the sheet would become too high. */
export function layOutSheet(shapes: readonly CellShape[]): SheetLayout {
  let columns = Math.max(1, Math.min(COLUMNS, shapes.length));
  let layout = inColumns(shapes, columns);
  while (layout.height > MAX_SIDE && columns < MAX_COLUMNS) {
    columns += 1;
    layout = inColumns(shapes, columns);
  }
  return layout;
}

function inColumns(shapes: readonly CellShape[], columns: number): SheetLayout {
  const gap = columns <= COLUMNS ? GAP : SMALL_GAP;
  const width = columns <= COLUMNS ? CELL_WIDTH : Math.floor((MAX_SIDE - gap) / columns) - gap;
  const cells: PlacedCell[] = [];
  let top = gap;
  for (let first = 0; first < shapes.length; first += columns) {
    const row = shapes.slice(first, first + columns);
    const pictures = row.map(({ picture }) => fitWithin(picture, { width, height: Math.round(width * TALLEST) }));
    const height = Math.max(Math.round(width * LOWEST), ...pictures.map((picture) => picture.height));
    for (const [column, picture] of pictures.entries()) {
      const frame = { left: gap + column * (width + gap), top, width, height };
      cells.push({ frame, picture: centered(picture, frame) });
    }
    const mark = row.some(({ marked }) => marked) ? MARK_HEIGHT : 0;
    top += height + LABEL_HEIGHT + mark + gap;
  }
  return { width: gap + columns * (width + gap), height: top, cells };
}

function centered({ width, height }: Size, frame: Rectangle): Rectangle {
  const left = frame.left + Math.floor((frame.width - width) / 2);
  const top = frame.top + Math.floor((frame.height - height) / 2);
  return { left, top, width, height };
}
