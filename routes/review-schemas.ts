import { z } from "@hono/zod-openapi";
import { ROW_STATUSES } from "../src/batches/rows.ts";

export const REVIEW_ACTIONS = ["read", "promote", "page", "manual"] as const;

const picture = z.string().openapi({
  description: "Path of the picture on this deployment; needs no key and ends with the link",
  example: "/s/WyJsb2NhbCIs.c2ln/candidate_01.jpg",
});
const tier = z.enum(["no-attribution", "attribution-required"]);

export const orientationSchema = z.enum(["any", "landscape", "portrait", "square"]);

const intentSchema = z
  .object({
    query: z.string(),
    query_variants: z.array(z.string()),
    purpose: z.string(),
    slide: z.string(),
    orientation: orientationSchema,
    required_terms: z.array(z.string()).openapi({ description: "Alternatives apart by `|`" }),
    min_width: z.int().nullable(),
    min_height: z.int().nullable(),
    strict_no_attribution: z.boolean(),
    reference: z.unknown().optional().openapi({ description: "As the row has it" }),
  })
  .openapi("ReviewIntent", { description: "What the picture is wanted for: of the row, else of what was searched" });

const candidateSchema = z
  .object({
    file: z.string().openapi({ description: "What `promote` takes", example: "candidate_01.jpg" }),
    rank: z.int(),
    on_page: z.boolean().openapi({ description: "Whether it is on the page that is shown now" }),
    picture,
    preview_width: z.int(),
    preview_height: z.int(),
    title: z.string(),
    author: z.string(),
    source_page_url: z.string(),
    provider: z.string(),
    license_name: z.string(),
    license_url: z.string(),
    license_tier: tier,
    attribution_required: z.boolean(),
    credit: z.string(),
    width: z.int().openapi({ description: "Of the original, as its provider says; 0 where it does not" }),
    height: z.int(),
    why: z.array(z.string()).openapi({ description: "Reasons for its rank, in plain English" }),
    identity_evidence: z.enum(["metadata-verified", "visual-verification-required"]),
    missing_required_terms: z.array(z.string()),
    selected: z.boolean().openapi({ description: "Whether the image that is stored is this one" }),
  })
  .openapi("ReviewCandidate");

export const reviewStateSchema = z
  .object({
    project: z.string(),
    filename: z.string(),
    actions: z.array(z.enum(REVIEW_ACTIONS)),
    expires_at: z.iso.datetime(),
    intent: intentSchema.nullable(),
    row: z
      .object({
        status: z.enum(ROW_STATUSES),
        last_error: z.string().optional(),
        running: z.boolean(),
        batch: z.string(),
      })
      .nullable(),
    image: z
      .object({
        picture,
        width: z.int(),
        height: z.int(),
        license_tier: z.enum([...tier.options, "manual"]),
        credit: z.string(),
        title: z.string(),
        source_page_url: z.string(),
      })
      .nullable(),
    page: z
      .object({
        number: z.int(),
        size: z.int().openapi({ description: "0: as much of the pool as one page may have" }),
        total: z.int(),
        has_more: z.boolean(),
        next: z.int().nullable(),
      })
      .nullable(),
    candidates: z.array(candidateSchema).openapi({ description: "All that have been shown so far, 400 at most" }),
  })
  .openapi("ReviewState");

export type ReviewState = z.infer<typeof reviewStateSchema>;
