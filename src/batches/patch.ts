import { z } from "zod";
import { SluiceError } from "../errors.ts";
import { fieldFaults } from "../field-faults.ts";
import { rowFaults, rowFields } from "../images/row.ts";
import type { RowItem } from "./rows.ts";

const { filename: _, ...changeable } = rowFields;

const patchSchema = z
  .strictObject({ ...changeable, candidate_page: z.int().min(1).max(1_000) })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, "must change at least one field");

/**
 * The row with the changes in it, `Pending` again. `null` takes an optional field away. Any change but of the page
 * begins at page 1, since it makes a new pool.
 */
export function patchedRow(item: RowItem, changes: Readonly<Record<string, unknown>>): RowItem {
  const removed = Object.keys(changes).filter((field) => changes[field] === null && field !== "query");
  const kept = Object.fromEntries(Object.entries(changes).filter(([field]) => !removed.includes(field)));
  const parsed = patchSchema.safeParse(
    removed.length > 0 && Object.keys(kept).length === 0 ? { query: item.query } : kept,
  );
  if (!parsed.success) throw invalid(fieldFaults(parsed.error));
  const onlyPage = Object.keys(changes).every((field) => field === "candidate_page");
  const base = Object.fromEntries(Object.entries(item).filter(([field]) => !removed.includes(field)));
  const next = {
    ...base,
    ...(onlyPage ? {} : { candidate_page: 1 }),
    ...kept,
    status: "Pending",
  } as unknown as RowItem;
  const faults = rowFaults({ slide: "", purpose: "", orientation: "any", strict_no_attribution: false, ...next });
  if (faults.length > 0) throw invalid(faults);
  return next;
}

function invalid(faults: readonly { pointer: string; detail: string }[]): SluiceError {
  const [first] = faults;
  return new SluiceError("invalid-request", `${first?.pointer || "The body"}: ${first?.detail}`, { faults });
}
