import { dirname } from "node:path";
import { type ExitCode } from "../failure.ts";
import { Directory } from "../directory.ts";
import { Project, projectName } from "../project.ts";
import type { Run } from "../run.ts";
import { runBatch } from "./batch.ts";
import { showCandidates } from "./candidates.ts";
import { type ImageFlags, jobOf } from "./flags.ts";
import { replaceFromUrl } from "./from-url.ts";
import { promote } from "./promote.ts";
import { searchBest } from "./search.ts";

/** What the jobs of `sluice images` work with. */
export interface ImageRun extends Run {
  readonly flags: ImageFlags;
  readonly directory: Directory;
  /** The service's project of this folder; starts the service at the first call. */
  project(): Promise<Project>;
}

/** One call of `sluice images`: everything that the folder alone can tell is told before any service is started. */
export async function runImages(query: string | undefined, flags: ImageFlags, run: Run): Promise<ExitCode> {
  const job = jobOf(query, flags);
  const folder = flags.output ?? (job.kind === "batch" ? dirname(job.file) : ".");
  const directory = await Directory.open(folder, flags.manifest);
  const project = async () => {
    const { client, machine } = await run.service();
    return new Project(client, flags.project ?? projectName(directory.path, machine));
  };
  const images: ImageRun = { ...run, flags, directory, project };
  switch (job.kind) {
    case "batch":
      return runBatch(job.file, images);
    case "promote":
      return promote(job.candidate, job.filename, images);
    case "from-url":
      return replaceFromUrl(job.url, job.filename, job.query, images);
    case "candidates":
      return showCandidates(job.query, job.filename, images);
    default:
      return searchBest(job.query, job.filename, images);
  }
}
