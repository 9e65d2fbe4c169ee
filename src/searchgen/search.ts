import { type Attempt } from "../cascade/attempt.ts";
import type { CascadeRun, Step } from "../cascade/cascade.ts";
import { earlier } from "../cascade/deadline.ts";
import type { JobContext } from "../context.ts";
import type { ImageResult, SearchQuery } from "../providers/types.ts";
import { imageSteps } from "../web/chains.ts";
import { worth } from "../web/no-answer.ts";
import { imageRunOf, webRun } from "../web/runs.ts";
import { type SearchGenImageResult, type SearchGenWebResult, toImageResults, toWebResults } from "./contract.ts";
import { type Mirror, mirrorImages } from "./mirror.ts";
import { probeImages, withFindings } from "./probe.ts";
import type { SearchGenRequest } from "./request.ts";

export interface SearchGenAnswer {
  readonly success: true;
  readonly results: readonly (SearchGenWebResult | SearchGenImageResult)[];
  /** The step that gave the first result; missing when there is none. */
  readonly provider?: string;
  /** Nothing was found, but not every provider could be asked. */
  readonly degraded?: true;
  /** Everyone failed, and these are older results that stood in. */
  readonly stale?: true;
  readonly attempts: readonly Attempt[];
}

/** Asked for beyond `num`, so that dead pictures can be replaced. */
const SPARE_IMAGES = 6;
/** Kept from the image chain for looking at the pictures, and for storing them. */
const PROBE_RESERVE_MS = 4_000;
const MIRROR_RESERVE_MS = 9_000;
/** With fewer the client does not ask its model but takes the first hit, dead or alive. */
const FEWEST_IMAGES = 2;

/**
 * One search by SearchGen's contract. Nothing found is an answer; `providers-failed` and `no-provider` are thrown when
 * no provider answered.
 */
export async function searchGen(
  request: SearchGenRequest,
  context: JobContext,
  mirror: Mirror | undefined,
): Promise<SearchGenAnswer> {
  return request.search_type === "web" ? searchWeb(request, context) : searchImages(request, context, mirror);
}

async function searchWeb(request: SearchGenRequest, context: JobContext): Promise<SearchGenAnswer> {
  const run = await webRun(searchQuery(request, request.num), context);
  const results = run.hits.flatMap((hit) => hit.results);
  const rows = toWebResults(results, firstPosition(request)).slice(0, request.num);
  return answer(rows, run.attempts, run.hits[0]?.name, run.stale);
}

async function searchImages(
  request: SearchGenRequest,
  context: JobContext,
  mirror: Mirror | undefined,
): Promise<SearchGenAnswer> {
  // Offsets of later pages are counted in `num`, so only the first page can ask for more.
  const query = searchQuery(request, request.page === 1 ? Math.min(100, request.num + SPARE_IMAGES) : request.num);
  const reserve = mirror === undefined ? PROBE_RESERVE_MS : MIRROR_RESERVE_MS;
  const chain = { ...context, deadline: earlier(context.deadline, reserve, context.clock) };
  let steps = imageSteps(query, context);
  const attempts: Attempt[] = [];
  const found: ImageResult[] = [];
  let usable: SearchGenImageResult[] = [];
  let provider: string | undefined;
  let stale: true | undefined;
  // A hit whose pictures are dead is no hit for this client, so the chain goes on behind it.
  while (steps.length > 0 && usable.length < Math.min(FEWEST_IMAGES, request.num)) {
    const run = await imageRunOf(steps, query, chain);
    attempts.push(...run.attempts);
    stale ??= run.stale;
    steps = stepsAfterHit(steps, run);
    found.push(...run.hits.flatMap((hit) => hit.results));
    if (run.hits.length === 0) break;
    provider ??= run.hits[0]!.name;
    usable = await fetchable(toImageResults(found, firstPosition(request)), request.num, mirror, context);
  }
  // With nothing better the client may as well try what we could not load.
  if (usable.length < FEWEST_IMAGES) usable = completed(usable, toImageResults(found, firstPosition(request)));
  const results = renumbered(usable.slice(0, request.num), firstPosition(request));
  return answer(results, attempts, results.length > 0 ? provider : undefined, stale);
}

async function fetchable(
  candidates: readonly SearchGenImageResult[],
  wanted: number,
  mirror: Mirror | undefined,
  context: JobContext,
): Promise<SearchGenImageResult[]> {
  const findings = await probeImages(candidates, context);
  if (mirror === undefined) {
    return withFindings(candidates, findings, ["fetchable", "unseen", "slow"]).slice(0, wanted);
  }
  // Two at a time, hosts that hang would use up the time of all others.
  return mirrorImages(withFindings(candidates, findings, ["fetchable", "unseen"]), wanted, mirror, context);
}

/** `usable`, and behind it what is in `all` under another title. */
function completed(
  usable: readonly SearchGenImageResult[],
  all: readonly SearchGenImageResult[],
): SearchGenImageResult[] {
  const titles = new Set(usable.map((image) => image.title));
  return [...usable, ...all.filter((image) => !titles.has(image.title))];
}

function stepsAfterHit(steps: readonly Step<ImageResult>[], run: CascadeRun<ImageResult>): Step<ImageResult>[] {
  const hit = run.hits[0]?.name;
  return hit === undefined ? [] : steps.slice(steps.findIndex((step) => step.name === hit) + 1);
}

function answer(
  results: SearchGenAnswer["results"],
  attempts: readonly Attempt[],
  provider: string | undefined,
  stale: true | undefined,
): SearchGenAnswer {
  return {
    success: true,
    results,
    ...(provider === undefined ? {} : { provider }),
    ...worth(attempts),
    ...(stale === undefined ? {} : { stale }),
    attempts,
  };
}

function searchQuery(request: SearchGenRequest, num: number): SearchQuery {
  return {
    query: request.query.replaceAll(/\s+/g, " ").trim(),
    page: request.page,
    num,
    safe: true,
    ...(request.country ? { country: request.country.toLowerCase() } : {}),
    ...(request.locale ? { locale: request.locale } : {}),
  };
}

function firstPosition(request: SearchGenRequest): number {
  return (request.page - 1) * request.num + 1;
}

function renumbered(images: readonly SearchGenImageResult[], firstAt: number): SearchGenImageResult[] {
  return images.map((image, index) => ({ ...image, position: firstAt + index }));
}
