import type { z } from "zod";
import type { CascadeRun, Step } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import { cacheKey } from "./cache-key.ts";
import { type Entry, readEntry, writeEntry } from "./entry.ts";
import { type Flight, followed, sharedDeadline } from "./flights.ts";
import { lifetimeOf } from "./policy.ts";
import type { RequestCache } from "./request-cache.ts";

/** A search as the cache knows it. */
export interface CachedSearch<T> {
  /** One word for every shape of `rows`. */
  readonly kind: string;
  /** As people type it; empty for searches by something else. */
  readonly query: string;
  /** Everything else that changes the results. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Those that may be asked, in order. */
  readonly steps: readonly Pick<Step<T>, "name" | "skip">[];
  /** What a kept result must be. */
  readonly rows: z.ZodType<T>;
}

export interface CachedCascadeRun<T> extends CascadeRun<T> {
  /** The results are older than their provider would have them be: everyone failed, as `attempts` says. */
  readonly stale?: true;
}

/**
 * What `run` gives, or what the same search gave before. Without a cache in the context it is `run`. `run` gets the
 * context to work in: its deadline outlives the caller while others wait for the same search.
 */
export async function cachedRun<T>(
  search: CachedSearch<T>,
  context: JobContext,
  run: (context: JobContext) => Promise<CascadeRun<T>>,
): Promise<CachedCascadeRun<T>> {
  const { cache, config } = context;
  const steps = search.steps.filter(({ skip }) => skip === undefined).map(({ name }) => name);
  if (cache === undefined || steps.length === 0) return run(context);
  if (cache.wish === "none") {
    cache.note({ kind: "request", stored: false });
    return run(context);
  }
  const { kind, query, options, rows } = search;
  const { proxy } = config.egress;
  const key = await cacheKey({ tenant: cache.tenant, ...(proxy ? { proxy } : {}), kind, query, options, steps });
  const lookup = { cache, key, rows, context };
  if (cache.wish === "revalidate") {
    const found = await run(context);
    const entry = writeDown(found, lookup);
    cache.note({ kind: "request", stored: entry !== undefined });
    return found;
  }
  return (await joined(lookup)) ?? (await lead(lookup, run));
}

interface LookupContext<T> {
  readonly cache: RequestCache;
  readonly key: string;
  readonly rows: z.ZodType<T>;
  readonly context: JobContext;
}

/** What another request of this isolate is finding, if it finds something. */
async function joined<T>({ cache, key, rows, context }: LookupContext<T>): Promise<CascadeRun<T> | undefined> {
  const { clock, deadline } = context;
  const flight = cache.flights.underWay(key, clock.now());
  if (flight === undefined) return undefined;
  const text = await followed(flight, deadline);
  const entry = text === undefined ? undefined : readEntry(text, key, rows, clock.now());
  if (entry === undefined) return undefined;
  cache.note({ kind: "miss", stored: false, collapsed: true });
  return replayed(entry, context);
}

/** Reads the cache, asks the providers where it has nothing, and shares what comes with those who want the same. */
async function lead<T>(
  lookup: LookupContext<T>,
  run: (context: JobContext) => Promise<CascadeRun<T>>,
): Promise<CachedCascadeRun<T>> {
  const { cache, key, context } = lookup;
  const { clock, deadline } = context;
  const shared = Promise.withResolvers<string | undefined>();
  const flight: Flight = { result: shared.promise, endsAt: clock.now() + deadline.remainingMs(), followers: 0 };
  const patient = sharedDeadline(deadline, () => flight.followers > 0, clock);
  cache.flights.begin(key, flight);
  let kept: Promise<unknown> = Promise.resolve();
  const work = (async () => {
    try {
      const text = await cache.results.read(key);
      const entry = text === undefined ? undefined : readEntry(text, key, lookup.rows, clock.now());
      if (entry !== undefined && clock.now() < entry.freshUntil) {
        shared.resolve(text);
        return hit(entry, lookup);
      }
      const found = await run({ ...context, deadline: patient });
      const written = writeDown(found, lookup);
      shared.resolve(written?.text);
      kept = written?.kept ?? kept;
      if (entry !== undefined && found.verdict !== "hit" && found.verdict !== "empty") {
        return standIn(entry, found, lookup);
      }
      cache.note({ kind: "miss", stored: written !== undefined, collapsed: false });
      return found;
    } finally {
      patient.stop();
      shared.resolve(undefined);
      // Until it is kept, whoever asks next gets it from here.
      cache.waitUntil(kept.finally(() => cache.flights.end(key, flight)));
    }
  })();
  // The client may leave before those who wait for the same have their answer.
  cache.waitUntil(work.catch(() => undefined));
  return work;
}

/** Starts keeping what was found; undefined where it may not be kept. */
function writeDown<T>(
  found: CascadeRun<T>,
  { cache, key, context }: LookupContext<T>,
): { readonly text: string; readonly kept: Promise<unknown> } | undefined {
  const lifetime = lifetimeOf(found);
  if (lifetime === undefined) return undefined;
  const now = context.clock.now();
  const text = writeEntry(key, found, lifetime, now);
  if (text === undefined) return undefined;
  const freshUntil = now + lifetime.fresh * 1_000;
  const staleUntil = freshUntil + lifetime.staleIfError * 1_000;
  const kept = cache.results.write(key, text, { storedAt: now, freshUntil, staleUntil });
  cache.waitUntil(kept);
  return { text, kept };
}

function hit<T>(entry: Entry<T>, { cache, context }: LookupContext<T>): CascadeRun<T> {
  cache.note({ kind: "hit", ...ages(entry, context.clock.now()) });
  return replayed(entry, context);
}

/** An old copy, with the failures that made it necessary in the record. */
function standIn<T>(entry: Entry<T>, found: CascadeRun<T>, { cache, context }: LookupContext<T>): CachedCascadeRun<T> {
  cache.note({ kind: "stale", ...ages(entry, context.clock.now()) });
  const old = replayed(entry, context);
  return { ...old, attempts: [...found.attempts, ...old.attempts], stale: true };
}

function replayed<T>({ hits, attempts }: Entry<T>, context: JobContext): CascadeRun<T> {
  for (const attempt of attempts) context.onAttempt?.(attempt);
  return { hits, attempts, verdict: hits.length > 0 ? "hit" : "empty" };
}

function ages({ storedAt, freshUntil }: Entry<unknown>, now: number): { ttl: number; age: number } {
  return { ttl: Math.floor((freshUntil - now) / 1_000), age: Math.max(0, Math.floor((now - storedAt) / 1_000)) };
}
