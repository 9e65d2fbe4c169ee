import { imageSchema, type StoredImage } from "../answers.ts";
import { CommandError, EXIT, type ExitCode, isProblem } from "../failure.ts";
import { problemLines } from "../problem-text.ts";
import { rowFields } from "./flags.ts";
import { withoutStale } from "./stale.ts";
import type { ImageRun } from "./images.ts";
import { sayImage, sayWarnings } from "./text.ts";

/** Best-only: the first ranked original that passes every gate becomes the image. */
export async function searchBest(query: string, filename: string, run: ImageRun): Promise<ExitCode> {
  const { directory, flags } = run;
  directory.checkFilename(filename);
  await refuseManual(filename, run);
  const project = await run.project();
  const body = { ...rowFields(flags), query, filename };
  let image: StoredImage;
  try {
    image = await withoutStale(filename, project, directory, () =>
      project.client.json("POST", `${project.path}/images`, imageSchema, { body }),
    );
  } catch (error) {
    if (!isProblem(error, "no-match")) throw error;
    return needsManual(filename, error.problem, run);
  }
  await project.bringImage(image, filename, directory);
  sayWarnings(image.warnings, run.console);
  sayImage(image, filename, run);
  return EXIT.done;
}

/** Every provider answered and nothing fits: only a person can go on. */
export function needsManual(
  filename: string,
  problem: { code: string; detail: string; status: number },
  { console }: ImageRun,
): ExitCode {
  console.note(`${filename}: Needs-Manual`);
  for (const line of problemLines(problem)) console.note(line);
  console.document({ status: "Needs-Manual", filename, error: problem });
  return EXIT.failed;
}

/** What a person chose is never replaced by a search. */
export async function refuseManual(filename: string, { directory }: ImageRun): Promise<void> {
  if (!(await directory.keepsManual(filename))) return;
  throw new CommandError(
    `${filename} was chosen by hand, and a search does not replace it. Take its entry out of ${directory.manifestPath} first, or use another filename.`,
  );
}
