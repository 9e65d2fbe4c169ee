import type { CachedCascadeRun } from "../cache/cached-run.ts";
import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { compactCredit } from "../images/attribution.ts";
import type { License } from "../images/license.ts";
import { providerById } from "../providers/registry.ts";
import type { ImageResult } from "../providers/types.ts";
import { asImageResult } from "./chains.ts";
import type { ClearedImage } from "./cleared.ts";
import { engineIn } from "./engines.ts";
import { worth } from "./no-answer.ts";
import { type ImageSearchRequest, searchQuery, USUAL_IMAGE_ENGINE } from "./request.ts";
import { clearedImageRun, imageRun } from "./runs.ts";

export interface ImageRow extends ImageResult {
  /** With `license: cleared` only. */
  readonly license?: License;
  readonly author?: string;
  /** The line to show beside the picture. */
  readonly credit?: string;
}

export interface ImageAnswer {
  readonly results: readonly ImageRow[];
  /** The step that gave the results, as `attempts` name it; missing when there are none. */
  readonly provider?: string;
  /** The engine whose results these are, whichever was asked for. */
  readonly engine?: string;
  /** Nothing was found, but not every provider could be asked. */
  readonly degraded?: true;
  /** Everyone failed, and these are older results that stood in. */
  readonly stale?: true;
  readonly attempts: readonly Attempt[];
}

/**
 * One image search over the chain. Nothing found is an answer; `providers-failed` and `no-provider` are thrown when no
 * provider answered.
 */
export async function searchImages(request: ImageSearchRequest, context: JobContext): Promise<ImageAnswer> {
  const query = searchQuery(request);
  if (request.license === "cleared") return answer(await clearedImageRun(query, context), request, clearedResult);
  const engine = request.engine === USUAL_IMAGE_ENGINE ? undefined : request.engine;
  return answer(await imageRun(query, context, engine), request, (result: ImageResult) => result);
}

function answer<T>(run: CachedCascadeRun<T>, { num }: ImageSearchRequest, toRow: (result: T) => ImageRow): ImageAnswer {
  const [hit] = run.hits;
  const base = { attempts: run.attempts, ...worth(run.attempts), ...(run.stale ? { stale: run.stale } : {}) };
  if (hit === undefined) return { results: [], ...base };
  return {
    results: hit.results.slice(0, num).map(toRow),
    provider: hit.name,
    engine: imageEngineOf(hit.name),
    ...base,
  };
}

function clearedResult(image: ClearedImage): ImageRow {
  return {
    ...asImageResult(image, providerById(image.provider)?.name ?? image.provider),
    license: image.license,
    author: image.author,
    credit: compactCredit(image).plain,
  };
}

/** The engine whose results a step of the image chain gives. */
export function imageEngineOf(step: string): string {
  const provider = step.split(/[#:]/, 1)[0]!;
  return engineIn(step) ?? (provider === "serpapi" ? USUAL_IMAGE_ENGINE : provider);
}
