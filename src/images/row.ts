import { z } from "zod";
import { type FieldFault, SluiceError } from "../errors.ts";
import { checkFilename } from "./filename.ts";
import { queryWarnings } from "./query-cleaning.ts";
import { type Parsed, parseQueryVariants, parseRequiredTerms } from "./request-fields.ts";
import type { ImageRequest, RequestWarning } from "./request.ts";

const words = z.string().max(400);

/** One row of `image_queries.json` (the spec's §5), without its status. */
export const rowFields = {
  filename: z.string().min(1).max(255),
  query: words.refine((query) => query.trim() !== "", "must not be empty"),
  query_variants: z.union([words, z.array(words).max(10)]).optional(),
  slide: z.string().max(200).default(""),
  purpose: z.string().max(400).default(""),
  orientation: z.enum(["any", "landscape", "portrait", "square"]).default("any"),
  min_width: z.int().min(1).max(20_000).optional(),
  min_height: z.int().min(1).max(20_000).optional(),
  provider: z.enum(["pexels", "pixabay", "openverse", "wikimedia"]).optional(),
  strict_no_attribution: z.boolean().default(false),
  required_terms: z.union([words, z.array(words).max(10)]).optional(),
};

const rowSchema = z.object(rowFields);
export type Row = z.infer<typeof rowSchema>;

/** Something in a row that works, but hardly as meant. */
export interface RowWarning {
  readonly pointer: string;
  readonly code: RequestWarning["code"];
  readonly detail: string;
}

export interface ReadRow {
  readonly request: ImageRequest;
  readonly warnings: readonly RowWarning[];
}

/** A row whose author left fields out, as they are kept in `image_queries.json`. */
export function withRowDefaults(row: Pick<Row, "filename" | "query">): Row {
  return { slide: "", purpose: "", orientation: "any", strict_no_attribution: false, ...row };
}

/** What zod cannot see in a row: the faults of its filename, variants and terms. Empty when `toImageRequest` will do. */
export function rowFaults(row: Row): FieldFault[] {
  const filename = checkFilename(row.filename);
  const variants = parseQueryVariants(row.query_variants, row.query);
  const terms = parseRequiredTerms(row.required_terms);
  return [
    ...(filename.ok ? [] : [{ pointer: "/filename", detail: filename.reason }]),
    ...(variants.ok ? [] : [{ pointer: "/query_variants", detail: variants.reason }]),
    ...(terms.ok ? [] : [{ pointer: "/required_terms", detail: terms.reason }]),
  ];
}

/** The row as the jobs take it. A fault is thrown: `invalid-filename` or `invalid-request`. */
export function toImageRequest(row: Row): ReadRow {
  const [fault] = rowFaults(row);
  if (fault !== undefined) {
    const code = fault.pointer === "/filename" ? "invalid-filename" : "invalid-request";
    throw new SluiceError(code, `${fault.pointer}: ${fault.detail}`, { faults: [fault] });
  }
  const variants = valueOf(parseQueryVariants(row.query_variants, row.query));
  const terms = valueOf(parseRequiredTerms(row.required_terms));
  const request: ImageRequest = {
    filename: row.filename,
    query: row.query.trim(),
    queryVariants: variants.value,
    slide: row.slide,
    purpose: row.purpose,
    orientation: row.orientation,
    ...(row.min_width === undefined ? {} : { minWidth: row.min_width }),
    ...(row.min_height === undefined ? {} : { minHeight: row.min_height }),
    ...(row.provider === undefined ? {} : { provider: row.provider }),
    strictNoAttribution: row.strict_no_attribution,
    requiredTerms: terms.value,
  };
  const warnings = [
    ...at("/query", queryWarnings(request.query)),
    ...variants.value.flatMap((variant, index) => at(`/query_variants/${index}`, queryWarnings(variant))),
    ...at("/required_terms", terms.warnings),
  ];
  return { request, warnings };
}

function valueOf<T>(parsed: Parsed<T>): { value: T; warnings: readonly RequestWarning[] } {
  if (!parsed.ok) throw new SluiceError("invalid-request", parsed.reason);
  return parsed;
}

function at(pointer: string, warnings: readonly RequestWarning[]): RowWarning[] {
  return warnings.map(({ code, detail }) => ({ pointer, code, detail }));
}
