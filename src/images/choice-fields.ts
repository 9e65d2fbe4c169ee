import { z } from "zod";

/** Which page of a candidate pool is wanted, and how large its pages are. */
export const candidatePageFields = {
  candidate_page: z.int().min(1).max(1_000).default(1),
  max_candidates: z.int().min(0).max(24).default(8).describe("0: the whole pool, 64 a page at most"),
};

/** One candidate that somebody chose. */
export const promotionFields = {
  candidate: z.string(),
  identity_confirmed: z.boolean().default(false).describe("Needed for near matches"),
};
