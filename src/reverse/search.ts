import { cachedRun } from "../cache/cached-run.ts";
import type { Attempt } from "../cascade/attempt.ts";
import { additive, type CascadeRun, first, type Step } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import type { ReverseImageQuery } from "../providers/types.ts";
import { engineHealth } from "../web/engines.ts";
import { type EngineFinding, engineFindingRows, type ReverseEngine, reverseSteps } from "./engines.ts";
import type { SearchedImage } from "./hosted-image.ts";
import { strongCount } from "./matches.ts";

export interface ReverseRun {
  /** Per engine that found something, in the order in which engines are asked. */
  readonly findings: readonly EngineFinding[];
  readonly attempts: readonly Attempt[];
  /** Everyone failed, and these are older findings that stood in. */
  readonly stale?: true;
}

/** What is searched for, and from where. */
export interface ReverseSearch extends Omit<ReverseImageQuery, "imageUrl" | "retry"> {
  readonly image: SearchedImage;
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
export function reverseCascade(search: ReverseSearch, context: JobContext): Promise<ReverseRun> {
  return reverseRun("cascade", search, [CASCADE], (groups, within) => first(groups.flat(), within), context);
}

/** All engines that are needed until enough sources leave no doubt, in groups. */
export function reverseMulti(search: ReverseSearch, context: JobContext): Promise<ReverseRun> {
  return reverseRun("multi", search, GROUPS, (groups, within) => additive(groups, isEnough, within), context);
}

/** SauceNAO alone. */
export function searchSauceNao(search: ReverseSearch, context: JobContext): Promise<ReverseRun> {
  return reverseRun("saucenao", search, [["saucenao"]], (groups, within) => first(groups.flat(), within), context);
}

/** `mode` names the way in which `run` goes through the engines. What hosting the image throws, it throws. */
async function reverseRun(
  mode: string,
  { image, ...region }: ReverseSearch,
  engines: readonly (readonly ReverseEngine[])[],
  run: (groups: readonly (readonly Step<EngineFinding>[])[], within: JobContext) => Promise<CascadeRun<EngineFinding>>,
  context: JobContext,
): Promise<ReverseRun> {
  const groupsFor = (imageUrl: string) =>
    engines.map((group) => group.flatMap((engine) => reverseSteps(engine, { imageUrl, ...region }, context)));
  const options = { mode, ...region, ...(context.cache === undefined ? {} : { image: await image.identity() }) };
  const search = { kind: "reverse", query: "", options, steps: groupsFor("").flat(), rows: engineFindingRows };
  const found = await cachedRun(search, context, async (within) => {
    return run(groupsFor(await image.url()), withEngines(within));
  });
  const { attempts, stale } = found;
  return { findings: found.hits.flatMap((hit) => hit.results), attempts, ...(stale ? { stale } : {}) };
}

function isEnough(findings: readonly EngineFinding[]): boolean {
  return strongCount(findings) >= ENOUGH_STRONG || findings.some(({ engine }) => BEFORE_BING.has(engine));
}

function withEngines(context: JobContext): JobContext {
  return { ...context, health: engineHealth(context.health) };
}
