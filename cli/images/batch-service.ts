import pMap from "p-map";
import { type RowItem, withoutOutputs } from "../../src/batches/rows.ts";
import { filenameKey, stemOf } from "../../src/images/filename.ts";
import { batchListSchema, batchSchema, type BatchRow, imagePageSchema, rowEventSchema } from "../answers.ts";
import { CommandError, ProblemError } from "../failure.ts";
import type { Project } from "../project.ts";
import { showPage } from "./candidates.ts";
import { forget } from "./stale.ts";

const AT_ONCE = 3;
/** Times in a row that a broken stream is taken up again. */
const MOST_BREAKS = 5;

export interface BatchOptions {
  readonly save_candidates: boolean;
  readonly concurrency: number;
  readonly max_candidates: number;
}

/** A run that was killed may have left its batch behind: it must not work against this one. */
export async function cancelEarlier(project: Project): Promise<void> {
  const { batches } = await project.client.json("GET", `${project.path}/batches`, batchListSchema);
  const [newest] = batches;
  if (newest === undefined) return;
  const path = `${project.path}/batches/${encodeURIComponent(newest.id)}`;
  const { state } = await project.client.json("GET", path, batchSchema);
  if (state === "running") await project.client.json("DELETE", path, batchSchema);
}

/** Makes the service forget images that would stand in the way of rows and that the folder does not have. */
export async function forgetInTheWay(project: Project, runs: readonly RowItem[]): Promise<void> {
  const stems = new Map(runs.map(({ filename }) => [filenameKey(stemOf(filename)), filename]));
  for (let after: number | null = 0; after !== null;) {
    const page: { images: { item: { filename: string; license_tier: string } }[]; next: number | null } =
      await project.client.json("GET", `${project.path}/images?after=${after}`, imagePageSchema);
    for (const { item } of page.images) {
      const row = stems.get(filenameKey(stemOf(item.filename)));
      if (row !== undefined && (row !== item.filename || item.license_tier === "manual")) {
        await forget(item.filename, project);
      }
    }
    after = page.next;
  }
  await pMap(stems.values(), (filename) => forgetOtherPool(project, filename), { concurrency: AT_ONCE });
}

/** Candidates lie under the stem: those of a row that was renamed since are in the way too. */
async function forgetOtherPool(project: Project, filename: string): Promise<void> {
  const file = await project.file("candidates", stemOf(filename), "candidates.json");
  if (file === undefined) return;
  const { target_filename: target } = JSON.parse(file.toString("utf8")) as { target_filename?: unknown };
  if (typeof target === "string" && target !== filename) await forget(target, project);
}

/** Later pages are cut from a pool; where the service has none, page 1 is searched first. */
export async function ensurePools(project: Project, runs: readonly RowItem[], pageSize: number): Promise<void> {
  const later = runs.filter((row) => (row.candidate_page ?? 1) > 1);
  await pMap(
    later,
    async (row) => {
      try {
        await showPage(
          project,
          { ...requestOf(row), save_candidates: true, max_candidates: pageSize },
          row.candidate_page!,
        );
      } catch (error) {
        // The batch will meet it too, and tell of it.
        if (!(error instanceof ProblemError)) throw error;
      }
    },
    { concurrency: AT_ONCE },
  );
}

/** Starts a batch; returns its path. */
export async function submit(project: Project, items: readonly RowItem[], options: BatchOptions): Promise<string> {
  const body = { items, options };
  const { id } = await project.client.json("POST", `${project.path}/batches`, batchSchema, { body });
  return `${project.path}/batches/${encodeURIComponent(id)}`;
}

/** Tells of every row that has come to its end, until the batch is at its own. Streams that break are taken up again. */
export async function* endedRows(project: Project, path: string): AsyncGenerator<string> {
  let last: string | undefined;
  for (let breaks = 0; breaks < MOST_BREAKS; breaks++) {
    try {
      for await (const { id, event, data } of project.client.events(`${path}/events`, last)) {
        breaks = 0;
        last = id ?? last;
        if (event === "done") return;
        const row = event === "row" ? rowEventSchema.safeParse(JSON.parse(data)).data : undefined;
        if (row !== undefined && row.retry_at === undefined) yield row.filename;
      }
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof ProblemError || error.exitCode !== 1) throw error;
    }
  }
  throw new CommandError("The batch could not be watched to its end. The same call goes on where it stopped.");
}

/** Rows as the service has them now; with `position`, those from there on, one page. */
export async function rowsFrom(project: Project, path: string, position: number): Promise<readonly BatchRow[]> {
  return (await project.client.json("GET", `${path}?after=${position - 1}`, batchSchema)).rows;
}

export async function allRows(project: Project, path: string): Promise<BatchRow[]> {
  const rows: BatchRow[] = [];
  for (let after: number | null = -1; after !== null;) {
    const page: { rows: BatchRow[]; next: number | null } = await project.client.json(
      "GET",
      `${path}?after=${after}`,
      batchSchema,
    );
    rows.push(...page.rows);
    after = page.next;
  }
  return rows;
}

const REQUEST_FIELDS = [
  "filename",
  "query",
  "query_variants",
  "slide",
  "purpose",
  "orientation",
  "min_width",
  "min_height",
  "provider",
  "strict_no_attribution",
  "required_terms",
];

function requestOf(row: RowItem): Record<string, unknown> {
  return Object.fromEntries(REQUEST_FIELDS.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]));
}

/** The folder's row with what the service made of it: its author's words stay as they are. */
export function withResult(row: RowItem, result: RowItem): RowItem {
  const words = withoutOutputs(result);
  const outputs = Object.entries(result).filter(([field]) => !(field in words));
  return {
    ...withoutOutputs(row),
    status: result.status,
    ...(result.status === "Needs-Selection" && result.candidate_page !== undefined
      ? { candidate_page: result.candidate_page }
      : {}),
    ...Object.fromEntries(outputs),
  };
}
