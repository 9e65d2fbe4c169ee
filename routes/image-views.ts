import { z } from "@hono/zod-openapi";
import type { ProjectIdentity } from "../durable-objects/project.ts";
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

const stored = {
  item: z.record(z.string(), z.unknown()).openapi({ description: "As it stands in image_sources.json" }),
  sha256: z.string(),
  bytes: z.int(),
  content_type: z.string(),
  file: z.string().openapi({ description: "Path of the image on this deployment" }),
};

const warnings = z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() }));

export const recordSchema = z.object({ ...stored, committed_at: z.iso.datetime() }).openapi("Image");

export const acquiredSchema = z
  .object({ ...stored, warnings, attempts: z.array(attemptSchema) })
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
  return {
    item: { ...commit.item } as Record<string, unknown>,
    sha256: commit.sha256,
    bytes: commit.bytes,
    content_type: commit.contentType,
    file: `/v1/projects/${project}/files/images/${encodeURIComponent(commit.filename)}`,
  };
}

export function recordBody(identity: ProjectIdentity, record: ImageRecord) {
  return { ...acquiredBody(identity, record), committed_at: new Date(record.committedAt).toISOString() };
}

function filesOf({ project }: ProjectIdentity, stem: string) {
  const folder = `/v1/projects/${project}/files/candidates/${encodeURIComponent(stem)}`;
  return { candidates: `${folder}/candidates.json`, review_sheet: `${folder}/review_sheet.jpg` };
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
    files: filesOf(identity, pool.stem),
    warnings: [...rowWarnings],
    attempts: [...attempts],
  } as z.infer<typeof candidatePageSchema>;
}
