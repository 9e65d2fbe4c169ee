import type { Size } from "./bytes.ts";
import { blankCanvas, fillRectangle, place, strokeRectangle } from "./canvas.ts";
import { type CellLabel, drawLabel, drawUnreadable, FRAME_GROUND } from "./cell-label.ts";
import { decodeWithin } from "./decode.ts";
import { encodeJpeg } from "./photon.ts";
import type { Raster } from "./raster.ts";
import { layOutSheet, type PlacedCell } from "./sheet-layout.ts";
import { type SniffedImage, sniffImage } from "./sniff.ts";
import { checkStructure } from "./structure.ts";

/** One candidate on a review sheet. */
export interface SheetCell extends CellLabel {
  /** A whole file, near the size of the cell. */
  readonly image: Uint8Array | { readonly unreadable: string };
}

export interface ReviewSheet extends Size {
  readonly jpeg: Uint8Array<ArrayBuffer>;
}

const QUALITY = 85;
const FRAME_LINE = 0xd0d7de;
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
