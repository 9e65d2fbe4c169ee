import type { JobContext } from "../context.ts";
import { stepsOf } from "../providers/call.ts";
import { providerById } from "../providers/registry.ts";
import type { Candidate } from "./candidate.ts";
import { classifyLicense } from "./license.ts";

/**
 * The same picture with addresses that work now, where its provider can be asked for it by id. Its license is judged
 * anew: it must still be cleared, and in the same tier. Undefined otherwise.
 */
export async function refreshed(candidate: Candidate, context: JobContext): Promise<Candidate | undefined> {
  const provider = providerById(candidate.provider);
  if (provider?.lookup === undefined) return undefined;
  const { config, door, clock, deadline, pace } = context;
  const [step] = stepsOf(provider, provider.lookup, candidate.assetId, config, door, clock.now(), pace);
  if (step === undefined || step.skip !== undefined) return undefined;
  const outcome = await step.run(deadline.signal);
  const image =
    outcome.kind === "hit" ? outcome.results.find(({ assetId }) => assetId === candidate.assetId) : undefined;
  if (image === undefined) return undefined;
  const verdict = classifyLicense(image.license, image.provider, new Date(clock.now()).toISOString());
  if (verdict.kind === "rejected" || verdict.license.tier !== candidate.license.tier) return undefined;
  return { ...image, license: verdict.license, discoveryQuery: candidate.discoveryQuery };
}
