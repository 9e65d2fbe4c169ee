import { type RowItem, withDrift } from "../../src/batches/rows.ts";
import { batchSchema, type BatchRow } from "../answers.ts";
import { bringCandidates } from "../candidates.ts";
import { CommandError, type ExitCode, Interrupted } from "../failure.ts";
import { type Progress, startProgress } from "../progress.ts";
import { Project } from "../project.ts";
import { QueryFile } from "../query-file.ts";
import { planBatch } from "./batch-plan.ts";
import {
  allRows,
  cancelEarlier,
  endedRows,
  ensurePools,
  forgetInTheWay,
  rowsFrom,
  submit,
  withResult,
} from "./batch-service.ts";
import { sayBatch } from "./batch-text.ts";
import type { ImageRun } from "./images.ts";

const PAGE_SIZE = 8;
const ROWS_AT_ONCE = { usual: 3, most: 16 };
/** For what is still to be done after Ctrl-C. */
const GOODBYE_MS = 10_000;

/** Brings every open row of an `image_queries.json` to its end; the file is written after each of them. */
export async function runBatch(path: string, run: ImageRun): Promise<ExitCode> {
  const { directory, flags, settings, console } = run;
  const queries = await QueryFile.open(path);
  const { changed, runs } = await planBatch(queries.rows, directory, flags, PAGE_SIZE);
  await queries.updateAll(new Map(changed.map((row) => [row.filename, () => row])));
  if (runs.length === 0) return sayBatch(queries, [], false, run);

  const project = await run.project();
  const saveCandidates = flags.saveCandidates === true || (flags.candidatePage ?? 1) > 1;
  const pageSize = flags.maxCandidates ?? PAGE_SIZE;
  const concurrency = flags.concurrency ?? settings.concurrency ?? ROWS_AT_ONCE.usual;
  await cancelEarlier(project);
  await forgetInTheWay(project, runs);
  if (saveCandidates) await ensurePools(project, runs, pageSize);
  const progress = startProgress(runs.length, console);
  const work = new BatchWork(queries, runs, progress, run);
  let batch: string | undefined;
  try {
    batch = await submit(project, runs, {
      save_candidates: saveCandidates,
      concurrency: Math.min(concurrency, ROWS_AT_ONCE.most),
      max_candidates: pageSize,
    });
    for await (const filename of endedRows(project, batch)) await work.save(filename, project, batch);
    await work.saveRest(project, batch);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (batch !== undefined) await saidGoodbye(work, project, batch);
    progress.end();
    sayBatch(queries, work.ended, true, run);
    throw error;
  } finally {
    progress.end();
  }
  return sayBatch(queries, work.ended, false, run);
}

/** Which rows of a running batch lie in the folder already. */
class BatchWork {
  readonly #queries: QueryFile;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #submitted: ReadonlyMap<string, RowItem>;
  readonly #progress: Progress;
  readonly #run: ImageRun;
  readonly #ended = new Set<string>();

  constructor(queries: QueryFile, runs: readonly RowItem[], progress: Progress, run: ImageRun) {
    this.#queries = queries;
    this.#positions = new Map(runs.map(({ filename }, index) => [filename, index]));
    this.#submitted = new Map(runs.map((row) => [row.filename, row]));
    this.#progress = progress;
    this.#run = run;
  }

  get ended(): readonly string[] {
    return [...this.#ended];
  }

  /** Brings one row that has ended into the folder. */
  async save(filename: string, project: Project, batch: string): Promise<void> {
    const position = this.#positions.get(filename);
    if (position === undefined) return;
    const [row] = await rowsFrom(project, batch, position);
    if (row !== undefined) await this.#bring(row, project);
  }

  /** The same for whatever has ended and was not told of. */
  async saveRest(project: Project, batch: string): Promise<void> {
    for (const row of await allRows(project, batch)) {
      const before = this.#submitted.get(row.item.filename)?.status;
      const hasEnded = !row.running && (row.attempts.length > 0 || row.item.status !== before);
      if (hasEnded && !this.#ended.has(row.item.filename)) await this.#bring(row, project);
    }
  }

  async #bring({ item, running }: BatchRow, project: Project): Promise<void> {
    const { filename } = item;
    if (running || !this.#submitted.has(filename)) return;
    const { directory } = this.#run;
    let result = item as unknown as RowItem;
    try {
      if (result.status === "Sourced") await project.bringImage(await project.image(filename), filename, directory);
      if (result.status === "Needs-Selection") await bringCandidates(project, directory, filename);
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof Interrupted) throw error;
      result = withDrift(result, error.message);
    }
    await this.#queries.update(filename, (row) => withResult(row, result));
    this.#ended.add(filename);
    this.#progress.row(filename, result.status, detailOf(result));
  }
}

/** After Ctrl-C: no further row begins, and what has ended is saved. Best effort, since the service may be gone too. */
async function saidGoodbye(work: BatchWork, project: Project, batch: string): Promise<void> {
  const last = project.within(AbortSignal.timeout(GOODBYE_MS));
  try {
    await last.client.json("DELETE", batch, batchSchema);
    await work.saveRest(last, batch);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
  }
}

function detailOf(row: RowItem): string {
  const text = (name: string) => (typeof row[name] === "string" ? row[name] : "");
  if (row.status === "Sourced") return `${text("sourced_from")}, ${text("license_tier")}`;
  if (row.status === "Needs-Selection" && row["last_error"] === undefined) {
    return `${String(row["candidate_count"])} of ${String(row["candidate_total"])} candidates`;
  }
  return text("last_error");
}
