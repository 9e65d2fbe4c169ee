import { type RowItem, withChoice, withDrift } from "../../src/batches/rows.ts";
import { meetsFloors, MIN_AREA } from "../../src/images/size-floors.ts";
import type { Orientation } from "../../src/providers/types.ts";
import type { Directory } from "../directory.ts";
import { isManual } from "../manifest.ts";

const ORIENTATIONS: readonly unknown[] = ["any", "landscape", "portrait", "square"] satisfies Orientation[];

/**
 * What the folder alone says of a row: the row as it must be before a run. A `Sourced` row without its image is `Failed`;
 * a row whose image a person has put there is `Sourced`. `defaults` are the floors that the command line gives.
 */
export async function checkedRow(
  row: RowItem,
  directory: Directory,
  defaults: Readonly<Record<string, unknown>>,
): Promise<RowItem> {
  if (row.status === "Sourced") {
    const drift = await driftOf(row, directory, defaults);
    return drift === undefined ? row : withDrift(row, drift);
  }
  const isOpen = row.status === "Pending" || row.status === "Failed" || row.status === "Needs-Manual";
  return isOpen && (await directory.keepsManual(row.filename)) ? withChoice(row, "manual", "manual") : row;
}

async function driftOf(
  row: RowItem,
  directory: Directory,
  defaults: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const entry = directory.entry(row.filename);
  if (entry === undefined) return "The manifest has no entry for this file.";
  const image = await directory.image(row.filename);
  if (image === undefined) return "The file is not there.";
  if (typeof image === "string") return `The file is no picture: ${image}.`;
  // What a person chose may be smaller than a search may choose.
  if (isManual(entry)) return undefined;
  return meetsFloors(image, floorsOf({ ...defaults, ...row }), MIN_AREA)
    ? undefined
    : `The file is ${image.width}x${image.height}, smaller than the row asks for.`;
}

function floorsOf(row: Readonly<Record<string, unknown>>) {
  const { orientation, min_width: width, min_height: height } = row;
  return {
    orientation: ORIENTATIONS.includes(orientation) ? (orientation as Orientation) : "any",
    ...(typeof width === "number" ? { minWidth: width } : {}),
    ...(typeof height === "number" ? { minHeight: height } : {}),
  };
}
