import type { Attempt } from "../cascade/attempt.ts";
import { additive, type CascadeRun, first } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import type { ReverseImageQuery } from "../providers/types.ts";
import { engineHealth } from "../web/engines.ts";
import { type EngineFinding, type ReverseEngine, reverseSteps } from "./engines.ts";
import { strongCount } from "./matches.ts";

export interface ReverseRun {
  /** Per engine that found something, in the order in which engines are asked. */
  readonly findings: readonly EngineFinding[];
  readonly attempts: readonly Attempt[];
}

/** So many sources that leave no doubt are enough. */
const ENOUGH_STRONG = 3;

/**
 * Lens has the best matches of real things, Google reverse adds its knowledge, Yandex knows what others do not. Bing
 * stands behind Google reverse, which has failed for everyone since July 2026.
 */
const CASCADE: readonly ReverseEngine[] = [
  "google_lens",
  "google_reverse_image",
  "yandex_images",
  "bing_reverse_image",
];
const GROUPS: readonly (readonly ReverseEngine[])[] = [
  ["saucenao", "google_lens"],
  ["google_reverse_image", "yandex_images"],
  ["bing_reverse_image"],
];
/** Bing is asked where none of these found anything. */
const BEFORE_BING: ReadonlySet<ReverseEngine> = new Set(["google_reverse_image", "yandex_images"]);

/** The engines one after another, up to the first that finds anything. */
export async function reverseCascade(query: ReverseImageQuery, context: JobContext): Promise<ReverseRun> {
  const steps = CASCADE.flatMap((engine) => reverseSteps(engine, query, context));
  return findingsOf(await first(steps, withEngines(context)));
}

/** All engines that are needed until enough sources leave no doubt, in groups. */
export async function reverseMulti(query: ReverseImageQuery, context: JobContext): Promise<ReverseRun> {
  const groups = GROUPS.map((engines) => engines.flatMap((engine) => reverseSteps(engine, query, context)));
  return findingsOf(await additive(groups, isEnough, withEngines(context)));
}

/** SauceNAO alone. */
export async function searchSauceNao(query: ReverseImageQuery, context: JobContext): Promise<ReverseRun> {
  return findingsOf(await first(reverseSteps("saucenao", query, context), withEngines(context)));
}

function isEnough(findings: readonly EngineFinding[]): boolean {
  return strongCount(findings) >= ENOUGH_STRONG || findings.some(({ engine }) => BEFORE_BING.has(engine));
}

function withEngines(context: JobContext): JobContext {
  return { ...context, health: engineHealth(context.health) };
}

function findingsOf(run: CascadeRun<EngineFinding>): ReverseRun {
  return { findings: run.hits.flatMap((hit) => hit.results), attempts: run.attempts };
}
