/** What the program reads of a service's answers. The schemas check and change nothing: members keep their order. */
import { z } from "zod";

const attemptSchema = z.looseObject({
  provider: z.string(),
  outcome: z.string(),
  class: z.string().optional(),
  detail: z.string().optional(),
});
export type Attempt = z.infer<typeof attemptSchema>;
export const attemptsSchema = z.array(attemptSchema);

const warningSchema = z.looseObject({ pointer: z.string(), detail: z.string() });
export type Warning = z.infer<typeof warningSchema>;

const itemSchema = z.looseObject({
  filename: z.string(),
  provider: z.string(),
  license_name: z.string(),
  license_tier: z.string(),
  width: z.int(),
  height: z.int(),
});
/** An entry of `image_sources.json`. */
export type SourceItem = z.infer<typeof itemSchema>;

export const imageSchema = z.looseObject({
  item: itemSchema,
  sha256: z.string(),
  warnings: z.array(warningSchema).optional(),
  attempts: attemptsSchema.optional(),
});
export type StoredImage = z.infer<typeof imageSchema>;

export const imagePageSchema = z.looseObject({ images: z.array(imageSchema), next: z.int().nullable() });

const candidateSchema = z.looseObject({
  rank: z.int(),
  // Becomes a path of this machine.
  filename: z.string().regex(/^candidate_\d{2,4}\.jpg$/),
  provider: z.string(),
  title: z.string(),
  license_name: z.string(),
  license_tier: z.string(),
  width: z.number(),
  height: z.number(),
  missing_required_terms: z.array(z.string()),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** `candidates.json`, as far as the program looks into it. */
export const candidatesFileSchema = z.looseObject({
  target_filename: z.string(),
  searched_at: z.string(),
  candidate_page: z.int(),
  page_size: z.int(),
  candidate_total: z.int(),
  candidates: z.array(candidateSchema),
});
export type CandidatesFile = z.infer<typeof candidatesFileSchema>;

export const candidatePageSchema = candidatesFileSchema.extend({
  has_more_candidates: z.boolean(),
  next_candidate_page: z.int().nullable(),
  warnings: z.array(warningSchema),
  attempts: attemptsSchema,
});
export type CandidatePage = z.infer<typeof candidatePageSchema>;

const rowSchema = z.looseObject({
  item: z.looseObject({ filename: z.string(), query: z.string(), status: z.string() }),
  running: z.boolean(),
  attempts: attemptsSchema,
});
export type BatchRow = z.infer<typeof rowSchema>;

export const batchSchema = z.looseObject({
  id: z.string(),
  state: z.enum(["running", "idle", "cancelled"]),
  rows: z.array(rowSchema),
  next: z.int().nullable(),
});

export const batchListSchema = z.looseObject({ batches: z.array(z.looseObject({ id: z.string() })) });

export const rowEventSchema = z.looseObject({
  filename: z.string(),
  status: z.string(),
  retry_at: z.string().optional(),
});

export const importedSchema = z.looseObject({ target_filename: z.string() });
