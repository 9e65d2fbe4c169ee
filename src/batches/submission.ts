import { z } from "zod";
import type { FieldFault } from "../errors.ts";
import { fieldFaults } from "../field-faults.ts";
import { filenameKey, stemOf } from "../images/filename.ts";
import { rowFaults, rowFields } from "../images/row.ts";
import { isWebhookSecret } from "../webhooks/signature.ts";
import { ROW_STATUSES, type RowItem } from "./rows.ts";

export const MAX_ROWS = 1_000;
/** In characters of JSON: an item, and the rest of the file, are one value of the batch's database each. */
const MAX_VALUE_LENGTH = 256 * 1024;
const TOO_LONG = `must not be longer than ${MAX_VALUE_LENGTH} characters of JSON`;

/** How a batch runs. */
export const batchOptionsSchema = z.strictObject({
  save_candidates: z.boolean().default(false),
  concurrency: z.int().min(1).max(16).default(3),
  max_candidates: z.int().min(0).max(24).default(8),
  webhook: z
    .strictObject({
      url: z.url({ protocol: /^https$/ }).max(2_000),
      secret: z.string().refine(isWebhookSecret, "must be `whsec_` and 24 to 64 bytes in base64").optional(),
    })
    .optional(),
});

export type BatchOptions = z.infer<typeof batchOptionsSchema>;

/** Unknown keys are kept: the file goes back to its author. */
export const itemSchema = z.looseObject({
  ...rowFields,
  status: z.enum(ROW_STATUSES),
  candidate_page: z.int().min(1).max(1_000).optional(),
});

const submissionSchema = z.looseObject({
  items: z.array(z.unknown()).min(1).max(MAX_ROWS),
  options: batchOptionsSchema.prefault({}),
});

export interface Submission {
  readonly items: readonly RowItem[];
  readonly options: BatchOptions;
  /** Members of the file beside `items` and `options`, as they came. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Reads a whole `image_queries.json` and lists every fault of every row at once. */
export function readSubmission(body: unknown): Submission | { readonly faults: readonly FieldFault[] } {
  const parsed = submissionSchema.safeParse(body);
  if (!parsed.success) return { faults: fieldFaults(parsed.error) };
  const { items: raw, options, ...extra } = parsed.data;
  const faults: FieldFault[] = [];
  if (isTooLong(extra))
    faults.push({ pointer: "", detail: `what stands beside \`items\` and \`options\` ${TOO_LONG}` });
  const keys = new Map<string, number>();
  const stems = new Map<string, number>();
  for (const [index, item] of raw.entries()) {
    const row = itemSchema.safeParse(item);
    if (!row.success) {
      faults.push(...fieldFaults(row.error, `/items/${index}`));
      continue;
    }
    if (isTooLong(item)) faults.push({ pointer: `/items/${index}`, detail: TOO_LONG });
    faults.push(
      ...rowFaults(row.data).map(({ pointer, detail }) => ({ pointer: `/items/${index}${pointer}`, detail })),
    );
    const clash = clashOf(row.data.filename, index, keys, stems);
    if (clash !== undefined) faults.push({ pointer: `/items/${index}/filename`, detail: clash });
  }
  // What came is kept, not what the schema made of it: defaults are not the author's words.
  return faults.length > 0 ? { faults } : { items: raw as RowItem[], options, extra };
}

function isTooLong(value: unknown): boolean {
  return JSON.stringify(value).length > MAX_VALUE_LENGTH;
}

function clashOf(
  filename: string,
  index: number,
  keys: Map<string, number>,
  stems: Map<string, number>,
): string | undefined {
  const key = filenameKey(filename);
  const stem = filenameKey(stemOf(filename));
  const sameName = keys.get(key);
  const sameStem = stems.get(stem);
  keys.set(key, sameName ?? index);
  stems.set(stem, sameStem ?? index);
  if (sameName !== undefined) return `is the same as in item ${sameName}, ignoring case`;
  if (sameStem !== undefined) return `differs from item ${sameStem} only in its extension`;
  return undefined;
}
