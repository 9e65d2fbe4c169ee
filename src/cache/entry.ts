import { z } from "zod";
import type { CascadeRun } from "../cascade/cascade.ts";
import type { Attempt } from "../cascade/attempt.ts";
import { CACHE_VERSION } from "./cache-key.ts";
import type { Lifetime } from "./policy.ts";

/** One kept search. Times are epoch milliseconds. */
export interface Entry<T> {
  readonly storedAt: number;
  readonly freshUntil: number;
  readonly staleUntil: number;
  readonly hits: CascadeRun<T>["hits"];
  /** Of those who answered: nobody else has a part in what is kept. */
  readonly attempts: readonly Attempt[];
}

const attemptSchema = z.object({
  provider: z.string(),
  outcome: z.enum(["hit", "empty"]),
  ms: z.number(),
  cached: z.boolean(),
  kept: z.number(),
});

/** Larger ones are not kept: no search of ours is. */
const MAX_BYTES = 512 * 1024;

/** An entry as it is kept; undefined when it is too large. */
export function writeEntry(
  key: string,
  run: Pick<CascadeRun<unknown>, "hits" | "attempts">,
  lifetime: Lifetime,
  now: number,
): string | undefined {
  const freshUntil = now + lifetime.fresh * 1_000;
  const text = JSON.stringify({
    version: CACHE_VERSION,
    key,
    storedAt: now,
    freshUntil,
    staleUntil: freshUntil + lifetime.staleIfError * 1_000,
    hits: run.hits,
    attempts: run.attempts.filter(({ outcome }) => outcome !== "failed").map(keptAttempt),
  });
  return new TextEncoder().encode(text).byteLength > MAX_BYTES ? undefined : text;
}

/**
 * What was kept under `key`, if it is one of ours, of this version, and not over. Anything else is undefined: whoever can
 * write to the bucket must not be able to put anything but results before a caller.
 */
export function readEntry<T>(text: string, key: string, rows: z.ZodType<T>, now: number): Entry<T> | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  const schema = z.object({
    version: z.literal(CACHE_VERSION),
    key: z.literal(key),
    storedAt: z.number().max(now),
    freshUntil: z.number(),
    staleUntil: z.number(),
    hits: z.array(z.object({ name: z.string(), results: z.array(rows).min(1) })),
    attempts: z.array(attemptSchema).min(1),
  });
  const parsed = schema.safeParse(data);
  return parsed.success && now < Math.max(parsed.data.freshUntil, parsed.data.staleUntil) ? parsed.data : undefined;
}

function keptAttempt({ provider, outcome, kept }: Attempt): Attempt {
  return { provider, outcome, ms: 0, cached: true, kept };
}
