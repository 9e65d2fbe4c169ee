import type { z } from "zod";
import type { Step } from "../cascade/cascade.ts";
import { toAttempt } from "../cascade/attempt.ts";
import type { Outcome } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";
import { cacheKey } from "./cache-key.ts";
import { readEntry, writeEntry } from "./entry.ts";
import { lifetimeOf } from "./policy.ts";
import type { RequestCache } from "./request-cache.ts";

/** One provider's answer as the cache knows it. */
export interface KeptAnswer<T> {
  readonly kind: string;
  readonly provider: string;
  readonly query: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: z.ZodType<T>;
}

/**
 * The step, answered from what its provider said before where that is still fresh. For answers that a provider wants kept
 * whatever search they were a part of. Without a cache in the context it is the step.
 */
export function keptStep<T>(step: Step<T>, answer: KeptAnswer<T>, context: JobContext): Step<T> {
  const { cache } = context;
  if (cache === undefined || cache.wish === "none") return step;
  return { ...step, run: (signal) => keptOutcome(step, answer, cache, context, signal) };
}

async function keptOutcome<T>(
  step: Step<T>,
  { kind, provider, query, options, rows }: KeptAnswer<T>,
  cache: RequestCache,
  { clock, config }: JobContext,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const { proxy } = config.egress;
  const steps = [provider];
  const key = await cacheKey({ tenant: cache.tenant, ...(proxy ? { proxy } : {}), kind, query, options, steps });
  if (cache.wish === "use") {
    const text = await cache.results.read(key);
    const entry = text === undefined ? undefined : readEntry(text, key, rows, clock.now());
    if (entry !== undefined && clock.now() < entry.freshUntil) {
      const results = entry.hits.flatMap((hit) => hit.results);
      return results.length === 0 ? { kind: "empty", cached: true } : { kind: "hit", results, cached: true };
    }
  }
  const outcome = await step.run(signal);
  keep(step.name, outcome, key, cache, clock.now());
  return outcome;
}

function keep(name: string, outcome: Outcome<unknown>, key: string, cache: RequestCache, now: number): void {
  // What was cut short is not all that the provider has.
  if (outcome.kind === "failed" || (outcome.kind === "hit" && outcome.endedBy !== undefined)) return;
  const hits = outcome.kind === "hit" ? [{ name, results: outcome.results }] : [];
  const run = { hits, attempts: [toAttempt(name, outcome, 0, false)], verdict: outcome.kind };
  const lifetime = lifetimeOf(run);
  const text = lifetime && writeEntry(key, run, lifetime, now);
  if (lifetime === undefined || text === undefined) return;
  const freshUntil = now + lifetime.fresh * 1_000;
  const staleUntil = freshUntil + lifetime.staleIfError * 1_000;
  cache.waitUntil(cache.results.write(key, text, { storedAt: now, freshUntil, staleUntil }));
}
