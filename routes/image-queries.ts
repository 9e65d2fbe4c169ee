import { z } from "@hono/zod-openapi";
import { changeableFields } from "../src/batches/patch.ts";
import { batchOptionsSchema, itemSchema, MAX_ROWS } from "../src/batches/submission.ts";

/**
 * A whole `image_queries.json`. What validates it is `readSubmission`, which finds every fault of every row; the route
 * itself looks at the outline only.
 */
export const imageQueriesSchema = z
  .looseObject({
    items: z.array(z.unknown()).openapi({
      type: "array",
      items: { $ref: "#/components/schemas/ImageQuery" },
      minItems: 1,
      maxItems: MAX_ROWS,
    }),
    options: z
      .unknown()
      .optional()
      .openapi({ $ref: "#/components/schemas/BatchOptions" } as never),
  })
  .openapi("ImageQueries");

export const IMAGE_QUERIES = {
  items: [{ filename: "alps.jpg", query: "french alpine landscape", status: "Pending" }],
  options: { save_candidates: true },
};

/** Changes of one row; `patchedRow` validates them. */
export const rowChangeSchema = z
  .record(z.string(), z.unknown())
  .openapi({ $ref: "#/components/schemas/RowChange" } as never);

/** The schemas that are named above. */
export const IMAGE_QUERY_SCHEMAS = {
  ImageQuery: itemSchema,
  BatchOptions: batchOptionsSchema,
  RowChange: z.strictObject(changeableFields).partial(),
};
