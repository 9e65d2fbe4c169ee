import { keptStep } from "../cache/kept-step.ts";
import { licensedRows } from "../cache/rows.ts";
import type { Step } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import { stepsOf } from "../providers/call.ts";
import type { LicensedImage, LicensedImageQuery, Provider } from "../providers/types.ts";

/**
 * A provider's steps for licensed pictures, each answered from what it said before while that is fresh; none where it has
 * no such pictures.
 */
export function licensedSteps(
  provider: Provider,
  query: LicensedImageQuery,
  context: JobContext,
): Step<LicensedImage>[] {
  const { licensedImages: capability } = provider;
  if (capability === undefined) return [];
  const { query: words, ...options } = query;
  const answer = { kind: "licensed", provider: provider.id, query: words, options, rows: licensedRows };
  return stepsOf(provider, capability, query, context.config, context.door, context.clock.now(), context.pace).map(
    (step) => keptStep(step, answer, context),
  );
}
