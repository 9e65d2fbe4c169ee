import { attributionText, compactCredit } from "./attribution.ts";
import { candidateFile, candidateTotal, hasMoreCandidates, type StoredPool } from "./stored-pool.ts";

/**
 * `candidates.json`, schema 3 of the original tool: its members in its order, then ours. Every candidate that has been
 * shown is listed, so earlier pages stay promotable; `candidate_page` is the one that the sheet shows.
 */
export function candidatesFile(pool: StoredPool): Readonly<Record<string, unknown>> {
  const { request } = pool;
  return {
    schema_version: 3,
    candidate_storage: "thumbnail-only",
    target_filename: pool.filename,
    selected: pool.selected ?? null,
    searched_at: new Date(pool.searchedAt).toISOString(),
    license_stage: request.strictNoAttribution ? "no-attribution-only" : "all",
    candidate_page: pool.page,
    saved_pages: pool.savedPages,
    page_size: pool.pageSize,
    candidate_total: candidateTotal(pool),
    has_more_candidates: hasMoreCandidates(pool),
    request: {
      query: request.query,
      query_variants: request.queryVariants,
      purpose: request.purpose,
      slide: request.slide,
      orientation: request.orientation,
      required_terms: request.requiredTerms,
      min_width: request.minWidth ?? null,
      min_height: request.minHeight ?? null,
      provider: request.provider ?? null,
    },
    candidates: pool.shown.map((_, position) => candidateEntry(pool, position)),
    unavailable: pool.unavailable.map(({ index, reason }) => ({
      provider: pool.ranked[index]!.candidate.provider,
      source_page_url: pool.ranked[index]!.candidate.sourcePageUrl,
      reason,
    })),
  };
}

/** As the file stands: pretty, with a final newline. */
export function renderCandidates(pool: StoredPool): string {
  return `${JSON.stringify(candidatesFile(pool), null, 2)}\n`;
}

function candidateEntry(pool: StoredPool, position: number): Readonly<Record<string, unknown>> {
  const shown = pool.shown[position]!;
  const { candidate, score, identityEvidence, missingRequiredTerms } = pool.ranked[shown.index]!;
  const file = candidateFile(position + 1);
  const { license } = candidate;
  return {
    rank: position + 1,
    score: Math.round(score * 100) / 100,
    filename: file,
    review: `review/${file}`,
    provider: candidate.provider,
    title: candidate.title,
    author: candidate.author,
    source_page_url: candidate.sourcePageUrl,
    download_url: candidate.downloadUrl,
    preview_url: candidate.previewUrl,
    matched_query: candidate.discoveryQuery,
    identity_evidence: identityEvidence,
    missing_required_terms: missingRequiredTerms,
    license_name: license.name,
    license_url: license.url,
    license_tier: license.tier,
    attribution_required: license.tier === "attribution-required",
    attribution_text: attributionText(candidate, pool.filename),
    width: candidate.width,
    height: candidate.height,
    preview_width: shown.width,
    preview_height: shown.height,
    credit: compactCredit(candidate).plain,
    asset_id: candidate.assetId,
  };
}
