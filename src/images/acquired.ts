import { z } from "zod";
import type { ImageCommit } from "./commit.ts";

/** What is answered of a stored image. */
export const storedFields = {
  item: z.record(z.string(), z.unknown()).describe("As it stands in image_sources.json"),
  sha256: z.string(),
  bytes: z.int(),
  content_type: z.string(),
  file: z.string().describe("Path of the image on this deployment"),
};

export function storedBody(project: string, commit: ImageCommit) {
  return {
    item: { ...commit.item } as Record<string, unknown>,
    sha256: commit.sha256,
    bytes: commit.bytes,
    content_type: commit.contentType,
    file: `/v1/projects/${project}/files/images/${encodeURIComponent(commit.filename)}`,
  };
}

/** Paths of a pool's files on this deployment. */
export function candidateFiles(project: string, stem: string) {
  const folder = `/v1/projects/${project}/files/candidates/${encodeURIComponent(stem)}`;
  return { candidates: `${folder}/candidates.json`, review_sheet: `${folder}/review_sheet.jpg` };
}
