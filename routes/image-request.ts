import { z } from "@hono/zod-openapi";
import { type FieldFault, SluiceError } from "../src/errors.ts";
import { checkFilename } from "../src/images/filename.ts";
import { queryWarnings } from "../src/images/query-cleaning.ts";
import { type Parsed, parseQueryVariants, parseRequiredTerms } from "../src/images/request-fields.ts";
import type { ImageRequest, RequestWarning } from "../src/images/request.ts";

const words = z.string().max(400);

/** One row of `image_queries.json` (the spec's §5). Unknown fields are faults: a typo must not pass unseen. */
const rowFields = {
  filename: z.string().min(1).max(255).openapi({ example: "jiefangbei.jpg" }),
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

export const imageRequestSchema = z
  .strictObject({
    ...rowFields,
    save_candidates: z.boolean().default(false),
    candidate_page: z.int().min(1).max(1_000).default(1),
    max_candidates: z.int().min(0).max(24).default(8).openapi({ description: "0: the whole pool, 64 at most" }),
  })
  .refine((body) => body.max_candidates > 0 || body.candidate_page === 1, {
    path: ["candidate_page"],
    message: "must be 1 when max_candidates is 0",
  })
  .openapi("ImageRequest");

export interface RowWarning {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** The row as the jobs take it, and what in it works but hardly as meant. Filename faults are `invalid-filename`. */
export function toImageRequest(body: z.infer<typeof imageRequestSchema>): {
  request: ImageRequest;
  warnings: readonly RowWarning[];
} {
  validFilename(body.filename);
  const variants = valid("/query_variants", parseQueryVariants(body.query_variants, body.query));
  const terms = valid("/required_terms", parseRequiredTerms(body.required_terms));
  const request: ImageRequest = {
    filename: body.filename,
    query: body.query.trim(),
    queryVariants: variants.value,
    slide: body.slide,
    purpose: body.purpose,
    orientation: body.orientation,
    ...(body.min_width === undefined ? {} : { minWidth: body.min_width }),
    ...(body.min_height === undefined ? {} : { minHeight: body.min_height }),
    ...(body.provider === undefined ? {} : { provider: body.provider }),
    strictNoAttribution: body.strict_no_attribution,
    requiredTerms: terms.value,
  };
  const warnings = [
    ...at("/query", queryWarnings(request.query)),
    ...variants.value.flatMap((variant, index) => at(`/query_variants/${index}`, queryWarnings(variant))),
    ...at("/required_terms", terms.warnings),
  ];
  return { request, warnings };
}

export function validFilename(filename: string): void {
  const checked = checkFilename(filename);
  if (!checked.ok) invalid("invalid-filename", { pointer: "/filename", detail: checked.reason });
}

function valid<T>(pointer: string, parsed: Parsed<T>): { value: T; warnings: readonly RequestWarning[] } {
  return parsed.ok ? parsed : invalid("invalid-request", { pointer, detail: parsed.reason });
}

function invalid(code: "invalid-request" | "invalid-filename", fault: FieldFault): never {
  throw new SluiceError(code, `${fault.pointer}: ${fault.detail}`, { faults: [fault] });
}

function at(pointer: string, warnings: readonly RequestWarning[]): RowWarning[] {
  return warnings.map(({ code, detail }) => ({ pointer, code, detail }));
}
