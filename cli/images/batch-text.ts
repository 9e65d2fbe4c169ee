import { join } from "node:path";
import type { RowItem } from "../../src/batches/rows.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import type { QueryFile } from "../query-file.ts";
import type { ImageRun } from "./images.ts";

/** What a run has made of its rows, and what is left to do. The exit code counts the rows of this run only. */
export function sayBatch(
  queries: QueryFile,
  ended: readonly string[],
  interrupted: boolean,
  { console, directory }: ImageRun,
): ExitCode {
  const own = new Set(ended);
  const rows = queries.rows.filter(({ filename }) => own.has(filename));
  const counts = countsOf(queries.rows);
  console.say(`${rows.length} ${rows.length === 1 ? "row" : "rows"} run; ${queries.path} has ${words(counts)}.`);
  for (const row of rows) for (const line of nextSteps(row, directory.path)) console.say(line);
  console.document({
    status: interrupted ? "Interrupted" : "Done",
    queries: queries.path,
    manifest: directory.manifestPath,
    counts,
    rows,
  });
  return rows.some(isBad) ? EXIT.failed : EXIT.done;
}

function isBad({ status, last_error: error }: RowItem): boolean {
  return status === "Failed" || status === "Needs-Manual" || error !== undefined;
}

function nextSteps(row: RowItem, folder: string): string[] {
  if (row.status !== "Needs-Selection") return [];
  const sheet = row["review_sheet"];
  return typeof sheet === "string" ? [`Look at ${join(folder, sheet)}, then --promote for ${row.filename}`] : [];
}

function countsOf(rows: readonly RowItem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function words(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");
}
