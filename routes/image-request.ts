import { z } from "@hono/zod-openapi";
import { SluiceError } from "../src/errors.ts";
import { candidatePageFields } from "../src/images/choice-fields.ts";
import { checkFilename } from "../src/images/filename.ts";
import { rowFields } from "../src/images/row.ts";

/** One row, and how to treat it. Unknown fields are faults: a typo must not pass unseen. */
export const imageRequestSchema = z
  .strictObject({
    ...rowFields,
    save_candidates: z.boolean().default(false),
    ...candidatePageFields,
  })
  .openapi("ImageRequest");

export function validFilename(filename: string): void {
  const checked = checkFilename(filename);
  if (checked.ok) return;
  const fault = { pointer: "/filename", detail: checked.reason };
  throw new SluiceError("invalid-filename", `/filename: ${checked.reason}`, { faults: [fault] });
}
