import { type CandidatePage, candidatePageSchema, type CandidatesFile } from "../answers.ts";
import { bringCandidates, readCandidates } from "../candidates.ts";
import { EXIT, type ExitCode, isProblem } from "../failure.ts";
import { onPage, type Project } from "../project.ts";
import { rowFields } from "./flags.ts";
import type { ImageRun } from "./images.ts";
import { needsManual, refuseManual } from "./search.ts";
import { withoutStale } from "./stale.ts";
import { candidateLine, sayWarnings } from "./text.ts";

/** A ranked page of previews and their sheet; no original, no provenance. */
export async function showCandidates(query: string, filename: string, run: ImageRun): Promise<ExitCode> {
  const { directory, flags, console } = run;
  directory.checkFilename(filename);
  await refuseManual(filename, run);
  const page = flags.candidatePage ?? 1;
  const before = page > 1 ? await readCandidates(directory, filename) : undefined;
  const request = {
    ...inherited(before, query, filename),
    ...rowFields(flags),
    query,
    filename,
    save_candidates: true,
    max_candidates: flags.maxCandidates ?? 8,
  };
  const project = await run.project();
  let shown: CandidatePage;
  try {
    shown = await withoutStale(filename, project, directory, () => showPage(project, request, page));
  } catch (error) {
    if (!isProblem(error, "no-match")) throw error;
    return needsManual(filename, error.problem, run);
  }
  await bringCandidates(project, directory, filename);
  sayWarnings(shown.warnings, console);
  say(shown, filename, run);
  return EXIT.done;
}

/** A page that is cut from a pool which the service does not have (any more) is searched for anew, from page 1. */
export async function showPage(
  project: Project,
  request: Readonly<Record<string, unknown>>,
  page: number,
): Promise<CandidatePage> {
  const show = (number: number) =>
    project.client.json("POST", `${project.path}/images`, candidatePageSchema, {
      body: { ...request, candidate_page: number },
    });
  try {
    return await show(page);
  } catch (error) {
    if (page === 1 || !isProblem(error, "no-pool")) throw error;
    await show(1);
    return show(page);
  }
}

/** What page 1 was asked for, so that the same query need not be spelt out again for the next page. */
function inherited(before: CandidatesFile | undefined, query: string, filename: string): Record<string, unknown> {
  const request = before?.["request"];
  if (before?.target_filename !== filename || typeof request !== "object" || request === null) return {};
  const fields: Record<string, unknown> = { ...request };
  if (fields["query"] !== query.trim()) return {};
  const names = ["query_variants", "required_terms", "orientation", "min_width", "min_height", "provider"];
  const kept = names.filter((name) => fields[name] !== null && fields[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, fields[name]])),
    ...(before["license_stage"] === "no-attribution-only" ? { strict_no_attribution: true } : {}),
  };
}

function say(page: CandidatePage, filename: string, { console, directory }: ImageRun): void {
  const sheet = directory.candidatesPath(filename, "review_sheet.jpg");
  const candidates = onPage(page);
  for (const candidate of candidates) console.say(candidateLine(candidate));
  console.say(`Sheet: ${sheet}`);
  console.say(
    `Take one: sluice images --promote ${candidates[0]?.filename} --filename ${filename} -o ${directory.path}`,
  );
  if (page.next_candidate_page !== null) {
    console.say(
      `None fits: the same call with --candidate-page ${page.next_candidate_page} (${page.candidate_total} in all).`,
    );
  }
  console.document({
    status: "Needs-Selection",
    filename,
    candidates_file: directory.candidatesPath(filename, "candidates.json"),
    review_sheet: sheet,
    candidate_page: page.candidate_page,
    candidate_count: candidates.length,
    candidate_total: page.candidate_total,
    has_more_candidates: page.has_more_candidates,
    next_candidate_page: page.next_candidate_page,
    candidates,
    warnings: page.warnings,
    attempts: page.attempts,
  });
}
