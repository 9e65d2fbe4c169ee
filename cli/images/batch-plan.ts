import { readSubmission } from "../../src/batches/submission.ts";
import type { RowItem } from "../../src/batches/rows.ts";
import { filenameKey, stemOf } from "../../src/images/filename.ts";
import type { Directory } from "../directory.ts";
import { CommandError } from "../failure.ts";
import { type ImageFlags, rowFields } from "./flags.ts";
import { checkedRow } from "./local-rows.ts";

export interface BatchPlan {
  /** Rows that are already something else than the file says, before anything is searched. */
  readonly changed: readonly RowItem[];
  /** What is to be submitted, with the flags of the command line where a row says nothing itself. */
  readonly runs: readonly RowItem[];
}

/** Reads off the folder which rows need work. Throws a `CommandError` for rows that could not be submitted. */
export async function planBatch(
  rows: readonly RowItem[],
  directory: Directory,
  flags: ImageFlags,
  defaultPageSize: number,
): Promise<BatchPlan> {
  const defaults = rowFields(flags);
  const changed: RowItem[] = [];
  const open: RowItem[] = [];
  for (const row of rows) {
    const checked = onNextPage(await checkedRow(row, directory, defaults), flags, defaultPageSize);
    if (checked !== row) changed.push(checked);
    if (checked.status === "Pending" || checked.status === "Failed") open.push(checked);
  }
  const faults = open.flatMap((row) => conflictsOf(row, rows, directory));
  const runs = open.map((row) => ({ ...defaults, ...row }));
  faults.push(...faultsOf(runs));
  if (faults.length > 0)
    throw new CommandError(`The batch cannot be run, and nothing was searched.\n${faults.join("\n")}`);
  return { changed, runs };
}

/** `--candidate-page` turns every shortlist that has such a page to it; the others stay as they are. */
function onNextPage(
  row: RowItem,
  { candidatePage: page = 1, maxCandidates }: ImageFlags,
  defaultSize: number,
): RowItem {
  if (page === 1) return row;
  if (row.status === "Pending" || row.status === "Failed") {
    return row.candidate_page === undefined ? { ...row, candidate_page: page } : row;
  }
  const total = row["candidate_total"];
  const size = maxCandidates ?? defaultSize;
  const isThere = typeof total !== "number" || size === 0 || total > (page - 1) * size;
  return row.status === "Needs-Selection" && isThere ? { ...row, status: "Pending", candidate_page: page } : row;
}

function conflictsOf(row: RowItem, rows: readonly RowItem[], directory: Directory): string[] {
  const conflict = directory.conflictOf(row.filename);
  if (conflict !== undefined) return [conflict];
  const stem = filenameKey(stemOf(row.filename));
  const other = rows.find((each) => each.filename !== row.filename && filenameKey(stemOf(each.filename)) === stem);
  return other === undefined ? [] : [`${row.filename} differs from ${other.filename} only in its case or extension.`];
}

function faultsOf(runs: readonly RowItem[]): string[] {
  if (runs.length === 0) return [];
  const read = readSubmission({ items: runs });
  if (!("faults" in read)) return [];
  return read.faults.map(({ pointer, detail }) => {
    const [, index, field = ""] = /^\/items\/(\d+)(.*)$/.exec(pointer) ?? [];
    const row = index === undefined ? undefined : runs[Number(index)];
    return `${row?.filename ?? "The file"}: ${field === "" ? "" : `${field} `}${detail}`;
  });
}
