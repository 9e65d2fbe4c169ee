import { withChoice } from "../../src/batches/rows.ts";
import { imageSchema, importedSchema } from "../answers.ts";
import { markSelected, readCandidates } from "../candidates.ts";
import { CommandError, EXIT, type ExitCode } from "../failure.ts";
import { QueryFile } from "../query-file.ts";
import type { ImageRun } from "./images.ts";
import { refuseManual } from "./search.ts";
import { withoutStale } from "./stale.ts";
import { sayImage } from "./text.ts";

/** Downloads the original of one candidate that the folder has, and no other. */
export async function promote(candidate: string, filename: string, run: ImageRun): Promise<ExitCode> {
  const { directory, flags, console } = run;
  directory.checkFilename(filename);
  await refuseManual(filename, run);
  const queries = flags.batch === undefined ? undefined : await QueryFile.open(flags.batch);
  queries?.row(filename);
  const file = await readCandidates(directory, filename);
  if (file === undefined || file.target_filename !== filename) {
    throw new CommandError(`${directory.path} has no candidates of ${filename}: search with --save-candidates first.`);
  }
  const chosen = file.candidates.find((each) => each.filename === candidate);
  if (chosen === undefined) {
    const names = file.candidates.map((each) => each.filename).join(", ");
    throw new CommandError(`${candidate} is not among the candidates of ${filename}: ${names}.`);
  }
  const project = await run.project();
  const image = await withoutStale(filename, project, directory, async () => {
    // Another machine, or a service that has forgotten: the folder's candidates are what was chosen from.
    await project.client.json("PUT", project.imagePath(filename, "/candidates"), importedSchema, { body: file });
    return project.client.json("POST", project.imagePath(filename, "/promote"), imageSchema, {
      // Whoever promotes has looked at the preview.
      body: { candidate, identity_confirmed: true },
    });
  });
  await project.bringImage(image, filename, directory);
  await markSelected(directory, filename, candidate);
  const { provider, license_tier: tier } = image.item;
  await queries?.update(filename, (row) => withChoice(row, provider, tier));
  const [missing] = chosen.missing_required_terms;
  if (missing !== undefined)
    console.note(`Its metadata does not name "${missing}": you have seen that it is the right subject.`);
  sayImage(image, filename, run);
  return EXIT.done;
}
