import { z } from "zod";
import { findingRows } from "../cache/rows.ts";
import type { Step } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { isSilentlyEmpty } from "../providers/serpapi/reverse.ts";
import type { Capability, ReverseFinding, ReverseImageQuery } from "../providers/types.ts";
import { accountOf, engineSteps } from "../web/engines.ts";

/** What one engine found. */
export interface EngineFinding {
  readonly engine: ReverseEngine;
  readonly finding: ReverseFinding;
}

const ENGINES = ["saucenao", "google_lens", "google_reverse_image", "yandex_images", "bing_reverse_image"] as const;
export type ReverseEngine = (typeof ENGINES)[number];

/** What kept findings must be. */
export const engineFindingRows: z.ZodType<EngineFinding> = z.object({ engine: z.enum(ENGINES), finding: findingRows });

/** The steps of one engine, whichever provider has it. An answer that is empty without a reason is asked for again. */
export function reverseSteps(
  engine: ReverseEngine,
  query: ReverseImageQuery,
  context: JobContext,
): Step<EngineFinding>[] {
  return PROVIDERS.flatMap((provider) => {
    const capability = provider.reverseEngines?.[engine];
    if (capability === undefined) return [];
    const stepsFor = (asked: ReverseImageQuery) =>
      engineSteps(provider, engine, labelled(engine, capability), asked, context);
    const again = stepsFor({ ...query, retry: true });
    return stepsFor(query).map((step, index) => ({
      ...step,
      // An engine that is a provider of its own needs no second name.
      ...(provider.id === engine ? { name: accountOf(step.name) } : {}),
      run: async (signal) => {
        const outcome = await step.run(signal);
        const retry = again[index];
        return isSilentlyEmpty(outcome) && retry !== undefined && !signal.aborted ? retry.run(signal) : outcome;
      },
    }));
  });
}

function labelled(
  engine: ReverseEngine,
  capability: Capability<ReverseImageQuery, ReverseFinding>,
): Capability<ReverseImageQuery, EngineFinding> {
  return {
    timeLimitMs: capability.timeLimitMs,
    request: (query, credentials) => capability.request(query, credentials),
    read: (reply, query) => {
      const outcome = capability.read(reply, query);
      if (outcome.kind !== "hit") return outcome;
      return { kind: "hit", results: outcome.results.map((finding) => ({ engine, finding })) };
    },
  };
}
