import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { stemOf } from "../src/images/filename.ts";
import { candidatesFileSchema, type CandidatesFile } from "./answers.ts";
import type { Directory } from "./directory.ts";
import { CommandError } from "./failure.ts";
import { readIfThere, replaceFile } from "./files.ts";
import { render } from "./manifest.ts";
import type { Project } from "./project.ts";

/** The folder's `candidates.json` of a filename; undefined where there is none, or none that can be used. */
export async function readCandidates(directory: Directory, filename: string): Promise<CandidatesFile | undefined> {
  const bytes = await readIfThere(directory.candidatesPath(filename, "candidates.json"));
  if (bytes === undefined) return undefined;
  return parseCandidates(bytes);
}

/** As it came, members in their order. */
function parseCandidates(bytes: Buffer): CandidatesFile | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return candidatesFileSchema.safeParse(value).success ? (value as CandidatesFile) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Brings the page that the service shows into the folder: previews, sheet, and at last `candidates.json`, so that it
 * never names a picture that is not there. Previews of another search are taken away first, with the file that names them.
 */
export async function bringCandidates(
  project: Project,
  directory: Directory,
  filename: string,
): Promise<CandidatesFile> {
  const stem = stemOf(filename);
  const text = await project.file("candidates", stem, "candidates.json");
  const sheet = await project.file("candidates", stem, "review_sheet.jpg");
  const file = text === undefined ? undefined : parseCandidates(text);
  if (text === undefined || file === undefined || sheet === undefined || file.target_filename !== filename) {
    throw new CommandError(`The candidates of ${filename} could not be fetched. Nothing was changed.`);
  }
  const before = await readCandidates(directory, filename);
  const reviews = directory.candidatesPath(filename, "review");
  const same = before?.searched_at === file.searched_at && before.target_filename === filename;
  if (!same) {
    await rm(directory.candidatesPath(filename, "candidates.json"), { force: true });
    await rm(reviews, { recursive: true, force: true });
  }
  await mkdir(reviews, { recursive: true });
  const there = new Set(await readdir(reviews));
  for (const { filename: name } of file.candidates.filter((candidate) => !there.has(candidate.filename))) {
    const preview = await project.file("candidates", stem, "review", name);
    if (preview === undefined) throw new CommandError(`The preview ${name} of ${filename} could not be fetched.`);
    await replaceFile(directory.candidatesPath(filename, "review", name), preview);
  }
  await replaceFile(directory.candidatesPath(filename, "review_sheet.jpg"), sheet);
  await replaceFile(directory.candidatesPath(filename, "candidates.json"), text);
  return file;
}

/** Notes in `candidates.json` which candidate was taken. */
export async function markSelected(directory: Directory, filename: string, candidate: string): Promise<void> {
  const file = await readCandidates(directory, filename);
  if (file === undefined) return;
  const path = directory.candidatesPath(filename, "candidates.json");
  await mkdir(dirname(path), { recursive: true });
  await replaceFile(path, render({ ...file, selected: candidate }));
}
