import { type CascadeRun, gather, type Step } from "../cascade/cascade.ts";
import { type Failed, failed, hitOrEmpty, isKept, type Outcome } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import type { LicensedImage, LicensedImageQuery, Provider } from "../providers/types.ts";
import { chainOf } from "../web/chains.ts";
import { licensedSteps } from "../web/licensed.ts";
import { queryPlan } from "./query-ladder.ts";
import type { ImageRequest } from "./request.ts";

/** A provider's picture, and the explicit query or variant that found it. */
export interface FoundImage {
  readonly image: LicensedImage;
  readonly discoveryQuery: string;
}

export interface ImageSearchLimits {
  /** Upstream calls for the whole row, over all providers. */
  readonly calls: number;
  /** The search stops early once so many finds are `strong`. */
  readonly enoughStrong: number;
  strong(found: readonly FoundImage[]): number;
}

/** Wanted per call; each provider caps it to its own page. */
const PAGE = 40;
/** For all calls to one provider together. */
const PROVIDER_MS = 20_000;

/**
 * Asks the chain (or the pinned provider) for a row's query and variants, then down their ladders until something comes.
 * Providers run side by side; a failure ends that provider only and keeps what it gave.
 */
export function searchLicensedImages(
  request: ImageRequest,
  limits: ImageSearchLimits,
  context: JobContext,
): Promise<CascadeRun<FoundImage>> {
  const budget = new Budget(limits);
  const steps = providersFor(request, context).flatMap((provider) =>
    provider.licensedImages === undefined ? [] : [providerStep(provider, request, budget, context)],
  );
  // Each step stops itself when the budget is spent or the pool is full, and so keeps what it has.
  return gather(steps, context);
}

function providersFor(request: ImageRequest, context: JobContext): readonly Provider[] {
  const chain = chainOf("LICENSED_IMAGE_CHAIN", context.config);
  if (request.provider === undefined) return chain;
  const pinned = chain.filter((provider) => provider.id === request.provider);
  if (pinned.length > 0) return pinned;
  const valid = chain.map((provider) => provider.id).join(", ");
  throw new SluiceError("invalid-request", `/provider: must be one of ${valid}.`, {
    faults: [{ pointer: "/provider", detail: `must be one of ${valid}` }],
  });
}

function providerStep(
  provider: Provider,
  request: ImageRequest,
  budget: Budget,
  context: JobContext,
): Step<FoundImage> {
  const stepFor = (query: string): Step<LicensedImage> =>
    licensedSteps(provider, licensedQuery(query, request), context)[0]!;
  const { skip } = stepFor(request.query);
  return {
    name: provider.id,
    several: true,
    timeLimitMs: PROVIDER_MS,
    ...(skip === undefined ? {} : { skip }),
    run: (signal) => walk(request, stepFor, budget, signal),
  };
}

async function walk(
  request: ImageRequest,
  stepFor: (query: string) => Step<LicensedImage>,
  budget: Budget,
  signal: AbortSignal,
): Promise<Outcome<FoundImage>> {
  const found: FoundImage[] = [];
  let called = false;
  let allKept = true;
  const answered = new Set<string>();
  for (const { discoveryQuery, words } of queryPlan([request.query, ...request.queryVariants])) {
    if (answered.has(discoveryQuery)) continue;
    if (!budget.take())
      return called
        ? whole(found, allKept)
        : failed("skipped", "the row's calls were used up, or others had given enough");
    called = true;
    const outcome = await stepFor(words).run(signal);
    if (outcome.kind === "failed") return partial(found, outcome);
    allKept &&= isKept(outcome);
    if (outcome.kind === "empty") continue;
    const fresh = outcome.results.map((image) => ({ image, discoveryQuery }));
    found.push(...fresh);
    budget.add(fresh);
    answered.add(discoveryQuery);
  }
  return whole(found, called && allKept);
}

/** All that the provider has, and whether nobody had to be called for it. */
function whole(found: readonly FoundImage[], kept: boolean): Outcome<FoundImage> {
  return { ...hitOrEmpty(found), ...(kept ? { cached: true as const } : {}) };
}

function partial(found: readonly FoundImage[], failure: Failed): Outcome<FoundImage> {
  return found.length === 0 ? failure : { kind: "hit", results: found, endedBy: failure };
}

function licensedQuery(query: string, request: ImageRequest): LicensedImageQuery {
  return {
    query,
    orientation: request.orientation,
    strictNoAttribution: request.strictNoAttribution,
    page: 1,
    num: PAGE,
  };
}

/** What all providers of one row share. */
class Budget {
  readonly #limits: ImageSearchLimits;
  readonly #found: FoundImage[] = [];
  #calls = 0;

  constructor(limits: ImageSearchLimits) {
    this.#limits = limits;
  }

  /** False when the row has no call left, or needs none any more. */
  take(): boolean {
    if (this.#calls >= this.#limits.calls) return false;
    if (this.#limits.strong(this.#found) >= this.#limits.enoughStrong) return false;
    this.#calls++;
    return true;
  }

  add(found: readonly FoundImage[]): void {
    this.#found.push(...found);
  }
}
