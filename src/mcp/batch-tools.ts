import { z } from "@hono/zod-openapi";
import { batchSchema } from "../batches/batch-schema.ts";
import { SluiceError } from "../errors.ts";
import { projectNameField } from "../project-name.ts";
import { type McpTool, tool } from "./tool.ts";

const batchStatus = tool({
  name: "batch_status",
  title: "See how a batch stands",
  description:
    "Counts and rows of a batch of images that was submitted before. Use it to follow a batch, not more often than every few seconds. Next: while `state` is `running`, ask again later; for rows that ended as `Needs-Selection`, `Needs-Manual` or `Failed` call `show_candidates` with the fields of the row's `item`, then `promote_image`.",
  scope: "batches",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: z.strictObject({
    project: projectNameField.describe("The project that the batch belongs to"),
    batch: z.string().min(1).max(100).describe("Its id, as the submission answered it"),
    after: z.int().min(-1).default(-1).describe("The `next` of the page before"),
  }),
  output: batchSchema,
  run: async ({ project, batch, after }, services) => {
    const body = await services.batch(project, batch, after);
    if (body === undefined) throw new SluiceError("not-found", `The project ${project} has no batch of this id.`);
    const counts = Object.entries(body.counts).filter(([, count]) => count > 0);
    return {
      structured: body,
      summary: `The batch is ${body.state}: ${counts.map(([status, count]) => `${count} ${status}`).join(", ")}.`,
      next: body.state === "running" ? "Ask again in a few seconds." : nextOf(body),
    };
  },
});

export const BATCH_TOOLS: readonly McpTool[] = [batchStatus];

function nextOf({ rows }: z.infer<typeof batchSchema>): string {
  const open = rows
    .map(({ item }) => item)
    .filter(({ status }) => status === "Failed" || status === "Needs-Manual" || status === "Needs-Selection")
    .map(({ filename }) => String(filename));
  if (open.length === 0) return "No row of this page needs anything.";
  return `These need somebody: ${open.slice(0, 10).join(", ")}. Call show_candidates with the fields of each one's item.`;
}
