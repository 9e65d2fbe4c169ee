import { UsageError } from "../failure.ts";

/** Of one page; 0 shows the whole pool. */
export const MOST_CANDIDATES = 24;

/** Flags of `sluice images`, as far as they were given. */
export interface ImageFlags {
  readonly queryVariant?: readonly string[];
  readonly filename?: string;
  readonly output?: string;
  readonly slide?: string;
  readonly purpose?: string;
  readonly orientation?: "any" | "landscape" | "portrait" | "square";
  readonly minWidth?: number;
  readonly minHeight?: number;
  readonly provider?: "pexels" | "pixabay" | "openverse" | "wikimedia";
  readonly strictNoAttribution?: boolean;
  readonly requireTerms?: readonly string[];
  readonly manifest?: string;
  readonly saveCandidates?: boolean;
  readonly maxCandidates?: number;
  readonly candidatePage?: number;
  readonly promote?: string;
  readonly fromUrl?: string;
  readonly batch?: string;
  readonly concurrency?: number;
  readonly project?: string;
  readonly json?: boolean;
  readonly allowLan?: boolean;
}

/** What one call is asked to do. */
export type ImageJob =
  | { readonly kind: "search" | "candidates"; readonly query: string; readonly filename: string }
  | { readonly kind: "promote"; readonly candidate: string; readonly filename: string }
  | { readonly kind: "from-url"; readonly url: string; readonly filename: string; readonly query: string }
  | { readonly kind: "batch"; readonly file: string };

/** Throws a `UsageError` for flags that do not go together. */
export function jobOf(query: string | undefined, flags: ImageFlags): ImageJob {
  const { promote, fromUrl, batch, filename } = flags;
  if (promote !== undefined && fromUrl !== undefined) throw new UsageError("Use --promote or --from-url, not both.");
  if (flags.project !== undefined && !/^[a-z0-9][a-z0-9._-]{0,63}$/.test(flags.project)) {
    throw new UsageError("--project must be 1–64 lower-case letters, digits, dots, hyphens or underscores.");
  }
  if (promote === undefined && fromUrl === undefined && batch !== undefined) {
    if (query !== undefined) throw new UsageError("A positional query does not go with --batch: rows have their own.");
    if (filename !== undefined) throw new UsageError("--filename does not go with --batch: rows have their own.");
    return { kind: "batch", file: batch };
  }
  if (filename === undefined) throw new UsageError("--filename is missing.");
  if (promote !== undefined) return { kind: "promote", candidate: promote, filename };
  if (fromUrl !== undefined) return { kind: "from-url", url: fromUrl, filename, query: query ?? "" };
  if (query === undefined || query.trim() === "") throw new UsageError("The query is missing.");
  // A later page can only be one of candidates.
  const kind = flags.saveCandidates === true || (flags.candidatePage ?? 1) > 1 ? "candidates" : "search";
  return { kind, query, filename };
}

/** The flags that say what is looked for, by the names of a row of `image_queries.json`. */
export function rowFields(flags: ImageFlags): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    query_variants: flags.queryVariant,
    slide: flags.slide,
    purpose: flags.purpose,
    orientation: flags.orientation,
    min_width: flags.minWidth,
    min_height: flags.minHeight,
    provider: flags.provider,
    strict_no_attribution: flags.strictNoAttribution,
    required_terms: flags.requireTerms,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
