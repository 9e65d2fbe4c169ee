import { withChoice } from "../../src/batches/rows.ts";
import { imageSchema } from "../answers.ts";
import { EXIT, type ExitCode } from "../failure.ts";
import { QueryFile } from "../query-file.ts";
import type { ImageRun } from "./images.ts";
import { forgetChanged, withoutStale } from "./stale.ts";
import { sayImage } from "./text.ts";

/** Manual replacement: the picture behind a URL that a person chose. */
export async function replaceFromUrl(url: string, filename: string, query: string, run: ImageRun): Promise<ExitCode> {
  const { directory, flags } = run;
  directory.checkFilename(filename);
  const queries = flags.batch === undefined ? undefined : await QueryFile.open(flags.batch);
  queries?.row(filename);
  const entry = directory.entry(filename);
  const given = (name: string, fallback: string | undefined) => textOf(entry?.[name]) || fallback || undefined;
  const slide = given("slide", flags.slide);
  const purpose = given("purpose", flags.purpose);
  const searchQuery = given("search_query", query);
  const body = {
    url,
    ...(flags.minWidth === undefined ? {} : { min_width: flags.minWidth }),
    ...(flags.minHeight === undefined ? {} : { min_height: flags.minHeight }),
    ...(slide === undefined ? {} : { slide }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(searchQuery === undefined ? {} : { search_query: searchQuery }),
  };
  const project = await run.project();
  await forgetChanged(filename, project, directory);
  const image = await withoutStale(filename, project, directory, () =>
    project.client.json("PUT", project.imagePath(filename, "/from-url"), imageSchema, { body }),
  );
  await project.bringImage(image, filename, directory);
  await queries?.update(filename, (row) => withChoice(row, "manual", "manual"));
  sayImage(image, filename, run);
  return EXIT.done;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
