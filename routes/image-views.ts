import { z } from "@hono/zod-openapi";
import type { ProjectIdentity } from "../durable-objects/project.ts";
import { candidateFiles, storedBody, storedFields } from "../src/images/acquired.ts";
import { candidatesFile } from "../src/images/candidates-file.ts";
import type { CandidatePage } from "../src/images/candidates.ts";
import type { ImageCommit, ImageRecord } from "../src/images/commit.ts";
import { hasMoreCandidates } from "../src/images/stored-pool.ts";
import type { RowWarning } from "../src/images/row.ts";
import { projectParam } from "./projects.ts";
import { attemptSchema } from "./schemas.ts";

export const imageParams = z.object({
  project: projectParam,
  filename: z
    .string()
    .max(255)
    .openapi({ param: { name: "filename", in: "path" }, example: "jiefangbei.jpg" }),
});

const warnings = z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() }));

export const recordSchema = z.object({ ...storedFields, committed_at: z.iso.datetime() }).openapi("Image");

export const acquiredSchema = z
  .object({ ...storedFields, warnings, attempts: z.array(attemptSchema) })
  .openapi("AcquiredImage");

export const candidatePageSchema = z
  .looseObject({
    candidate_page: z.int(),
    candidate_total: z.int(),
    has_more_candidates: z.boolean(),
    next_candidate_page: z.int().nullable(),
    candidates: z.array(z.record(z.string(), z.unknown())),
    files: z.object({ candidates: z.string(), review_sheet: z.string() }),
    warnings,
    attempts: z.array(attemptSchema),
  })
  .openapi("CandidatePage", { description: "candidates.json of the spec, and what the next call needs" });

export function acquiredBody({ project }: ProjectIdentity, commit: ImageCommit) {
  return storedBody(project, commit);
}

export function recordBody(identity: ProjectIdentity, record: ImageRecord) {
  return { ...acquiredBody(identity, record), committed_at: new Date(record.committedAt).toISOString() };
}

/** A pool's page as the API answers it: the file, and what the next call needs. */
export function candidatePageBody(
  identity: ProjectIdentity,
  { pool, attempts }: CandidatePage,
  rowWarnings: readonly RowWarning[],
): z.infer<typeof candidatePageSchema> {
  return {
    ...candidatesFile(pool),
    next_candidate_page: hasMoreCandidates(pool) ? pool.page + 1 : null,
    files: candidateFiles(identity.project, pool.stem),
    warnings: [...rowWarnings],
    attempts: [...attempts],
  } as z.infer<typeof candidatePageSchema>;
}
