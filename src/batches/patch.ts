import { z } from "zod";
import { SluiceError } from "../errors.ts";
import { fieldFaults } from "../field-faults.ts";
import { rowFaults, rowFields } from "../images/row.ts";
import { type RowItem, withoutOutputs } from "./rows.ts";

const { filename: _, ...changeable } = rowFields;

/** What may be changed of a row; `null` for an optional one takes it away. */
export const changeableFields = { ...changeable, candidate_page: z.int().min(1).max(1_000) };
const patchSchema = z.strictObject(changeableFields).partial();

/**
 * The row with the changes in it, `Pending` again. `null` takes an optional field away. Any change but of the page
 * begins at page 1 and drops what the last attempt left, since it makes a new pool.
 */
export function patchedRow(item: RowItem, changes: Readonly<Record<string, unknown>>): RowItem {
  const fields = Object.keys(changes);
  if (fields.length === 0) throw invalid([{ pointer: "", detail: "must change at least one field" }]);
  const removed = new Set(fields.filter((field) => changes[field] === null && isRemovable(field)));
  const kept = Object.fromEntries(Object.entries(changes).filter(([field]) => !removed.has(field)));
  const parsed = patchSchema.safeParse(kept);
  if (!parsed.success) throw invalid(fieldFaults(parsed.error));
  const onlyPage = fields.every((field) => field === "candidate_page");
  const before = onlyPage ? item : withoutOutputs(item);
  const base = Object.fromEntries(Object.entries(before).filter(([field]) => !removed.has(field)));
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

function isRemovable(field: string): boolean {
  return field !== "query" && field in patchSchema.shape;
}

function invalid(faults: readonly { pointer: string; detail: string }[]): SluiceError {
  const [first] = faults;
  return new SluiceError("invalid-request", `${first?.pointer || "The body"}: ${first?.detail}`, { faults });
}
