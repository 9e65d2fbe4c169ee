import { readFileSync } from "node:fs";
import type { LicensedImageProviderId, Orientation } from "../../src/providers/types.ts";

export interface RankingVector {
  readonly name: string;
  readonly policy: "match" | "improve";
  readonly request: {
    readonly query: string;
    readonly query_variants: readonly string[];
    readonly required_terms: readonly string[];
    readonly orientation: Orientation;
    readonly min_width: number;
    readonly min_height: number;
  };
  readonly returned_by_query: Readonly<Record<string, readonly string[]>>;
  readonly candidates: readonly {
    readonly id: string;
    readonly provider: LicensedImageProviderId;
    readonly title: string;
    readonly author: string;
    readonly source_page_url: string;
    readonly download_url: string;
    readonly preview_url: string;
    readonly width: number;
    readonly height: number;
    readonly license_name: string;
    readonly license_url: string;
  }[];
  readonly expected: {
    readonly per_candidate: readonly {
      readonly id: string;
      readonly score: number | null;
      readonly review_score: number | null;
      readonly missing_required_terms: readonly string[];
      readonly identity_evidence: string;
    }[];
    readonly best_only_order: readonly { readonly id: string }[];
    readonly review_order: readonly { readonly id: string }[];
    readonly review_page_eligible_order: readonly { readonly id: string }[];
  };
}

interface Vectors {
  readonly meta: { readonly weak_required_term_parts: readonly string[] };
  readonly ranking: readonly RankingVector[];
  readonly license: readonly {
    readonly license_name: string;
    readonly license_url: string;
    readonly provider: string;
    readonly tier: string | null;
    readonly normalized_name: string;
  }[];
  readonly query: readonly {
    readonly query: string;
    readonly progression: string[];
    readonly scoring_tokens: string[];
  }[];
  readonly attribution: readonly {
    readonly filename: string;
    readonly candidate: Readonly<Record<string, string>>;
    readonly attribution_text: string;
  }[];
  readonly required_terms: readonly FieldVector[];
  readonly query_variants: readonly FieldVector[];
  readonly filename: readonly { readonly filename: string; readonly ok: boolean }[];
}

interface FieldVector {
  readonly raw: unknown;
  readonly parsed?: readonly string[];
  readonly error?: string;
}

/** What the original tool does, as its own functions computed it; see `meta.about` in the file. */
export const VECTORS = JSON.parse(
  readFileSync(new URL("../cases/ranking.json", import.meta.url), "utf8"),
) as unknown as Vectors;
