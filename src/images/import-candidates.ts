import { z } from "zod";
import { type FieldFault, SluiceError } from "../errors.ts";
import { identityOf, readRequiredTerms } from "./identity.ts";
import { authorGate, classifyLicense } from "./license.ts";
import type { RankedCandidate } from "./ranking.ts";
import { stemOf } from "./filename.ts";
import { rowFields, toImageRequest } from "./row.ts";
import { candidateFile, type NewPool } from "./stored-pool.ts";

const MOST_CANDIDATES = 400;
/** No search gives this: a later one of the same request makes a pool of its own, with all that it finds. */
const IMPORTED = "imported";

const webUrl = z.url({ protocol: /^https?$/ }).max(4_000);
const urlOrNothing = z.union([z.literal(""), webUrl]);
const text = z.string().max(2_000);
const pixels = z.int().min(0).max(1_000_000);

const candidateSchema = z.looseObject({
  rank: z.int().min(1),
  score: z.number(),
  filename: z.string(),
  provider: rowFields.provider.unwrap(),
  // Files of the original tool have none.
  asset_id: text.default(""),
  title: text,
  author: text,
  source_page_url: urlOrNothing,
  download_url: webUrl,
  preview_url: urlOrNothing,
  matched_query: text,
  license_name: text,
  license_url: text,
  width: pixels,
  height: pixels,
  preview_width: pixels,
  preview_height: pixels,
});

const { slide, purpose, orientation, provider } = rowFields;
const floor = rowFields.min_width.unwrap().nullable().default(null);

/** What of a `candidates.json` a promotion needs; whatever else stands there is not looked at. */
export const candidatesImportSchema = z.looseObject({
  schema_version: z.literal(3),
  target_filename: z.string().max(255),
  searched_at: z
    .string()
    .max(40)
    .refine((time) => !Number.isNaN(Date.parse(time)), "must be a time in ISO 8601"),
  license_stage: z.enum(["all", "no-attribution-only"]),
  candidate_page: z.int().min(1).max(1_000),
  saved_pages: z.array(z.int().min(1).max(1_000)).max(1_000).default([]),
  page_size: z.int().min(0).max(1_000),
  request: z.looseObject({
    query: rowFields.query,
    query_variants: z.array(rowFields.query).max(10).default([]),
    purpose,
    slide,
    orientation,
    required_terms: z.array(text).max(50).default([]),
    min_width: floor,
    min_height: floor,
    provider: provider.nullable(),
  }),
  candidates: z.array(candidateSchema).min(1).max(MOST_CANDIDATES),
});

export type CandidatesImport = z.infer<typeof candidatesImportSchema>;
type ImportedCandidate = CandidatesImport["candidates"][number];

/**
 * The pool that a `candidates.json` was written from, as far as it was shown. Nothing that decides is taken at its word:
 * license tiers and identity are derived again, and a candidate that no search would show is a fault (`invalid-request`).
 */
export function importedPool(filename: string, file: CandidatesImport): NewPool {
  if (file.target_filename !== filename) {
    throw invalid([{ pointer: "/target_filename", detail: `must be ${filename}, as in the address` }]);
  }
  const strict = file.license_stage === "no-attribution-only";
  const { query, query_variants: variants, required_terms: terms, min_width, min_height, provider: pin } = file.request;
  const { request } = toImageRequest({
    filename,
    query,
    query_variants: variants,
    slide: file.request.slide,
    purpose: file.request.purpose,
    orientation: file.request.orientation,
    strict_no_attribution: strict,
    required_terms: terms,
    ...(min_width === null ? {} : { min_width }),
    ...(min_height === null ? {} : { min_height }),
    ...(pin === null || pin === undefined ? {} : { provider: pin }),
  });
  const searchedAt = Date.parse(file.searched_at);
  const read = file.candidates.map((entry, index) => readCandidate(entry, index, request, searchedAt));
  const faults = read.flatMap((each) => ("faults" in each ? each.faults : []));
  if (faults.length > 0) throw invalid(faults);
  return {
    filename,
    stem: stemOf(filename),
    fingerprint: IMPORTED,
    request,
    searchedAt,
    complete: false,
    ranked: read.flatMap((each) => ("faults" in each ? [] : [each])),
    // The previews lie where the file does.
    shown: file.candidates.map((entry, index) => ({
      index,
      sha256: "",
      width: entry.preview_width,
      height: entry.preview_height,
    })),
    unavailable: [],
    page: file.candidate_page,
    pageSize: file.page_size,
    savedPages: file.saved_pages,
  };
}

function readCandidate(
  entry: ImportedCandidate,
  index: number,
  request: NewPool["request"],
  searchedAt: number,
): RankedCandidate | { readonly faults: FieldFault[] } {
  const fault = (member: string, detail: string) => ({ pointer: `/candidates/${index}/${member}`, detail });
  const number = index + 1;
  if (entry.rank !== number) return { faults: [fault("rank", `must be ${number}: ranks count from 1 without gaps`)] };
  if (entry.filename !== candidateFile(number)) {
    return { faults: [fault("filename", `must be ${candidateFile(number)}`)] };
  }
  const statement = { name: entry.license_name, url: entry.license_url };
  const verdict = classifyLicense(statement, entry.provider, new Date(searchedAt).toISOString());
  if (verdict.kind === "rejected") return { faults: [fault("license_name", `is not cleared: ${verdict.reason}`)] };
  const { license } = verdict;
  const nameless = authorGate(license, entry.author);
  if (nameless !== undefined) return { faults: [fault("author", nameless)] };
  if (request.strictNoAttribution && license.tier !== "no-attribution") {
    return { faults: [fault("license_name", "asks for a credit, which the license stage rules out")] };
  }
  const candidate = {
    provider: entry.provider,
    assetId: entry.asset_id,
    title: entry.title,
    author: entry.author,
    sourcePageUrl: entry.source_page_url,
    downloadUrl: entry.download_url,
    previewUrl: entry.preview_url,
    width: entry.width,
    height: entry.height,
    license,
    discoveryQuery: entry.matched_query,
  };
  const { evidence, missing } = identityOf(candidate, readRequiredTerms(request.requiredTerms));
  return { candidate, score: entry.score, identityEvidence: evidence, missingRequiredTerms: missing };
}

function invalid(faults: readonly FieldFault[]): SluiceError {
  const [first] = faults;
  return new SluiceError("invalid-request", `${first?.pointer}: ${first?.detail}`, { faults });
}
