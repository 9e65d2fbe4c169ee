import { type CachedCascadeRun, cachedRun } from "../cache/cached-run.ts";
import { imageRows, webRows } from "../cache/rows.ts";
import { first, type Step } from "../cascade/cascade.ts";
import type { JobContext } from "../context.ts";
import type { ImageResult, SearchQuery, WebResult } from "../providers/types.ts";
import { clearedImageSteps, imageSteps, webSteps } from "./chains.ts";
import { type ClearedImage, clearedRows } from "./cleared.ts";
import { engineHealth } from "./engines.ts";

/** A web search over the chain, from the cache where it is known there. */
export function webRun(query: SearchQuery, context: JobContext, engine?: string): Promise<CachedCascadeRun<WebResult>> {
  return webRunOf(webSteps(query, context, engine), query, context, engine);
}

/** The same over steps of one's own, made for `query` and `engine`. */
export function webRunOf(
  steps: readonly Step<WebResult>[],
  query: SearchQuery,
  context: JobContext,
  engine?: string,
): Promise<CachedCascadeRun<WebResult>> {
  const search = { kind: "web", ...identityOf(query, engine), steps, rows: webRows };
  return cachedRun(search, context, (within) => first(steps, withEngines(within)));
}

export function imageRun(
  query: SearchQuery,
  context: JobContext,
  engine?: string,
): Promise<CachedCascadeRun<ImageResult>> {
  return imageRunOf(imageSteps(query, context, engine), query, context, engine);
}

export function imageRunOf(
  steps: readonly Step<ImageResult>[],
  query: SearchQuery,
  context: JobContext,
  engine?: string,
): Promise<CachedCascadeRun<ImageResult>> {
  const search = { kind: "image", ...identityOf(query, engine), steps, rows: imageRows };
  return cachedRun(search, context, (within) => first(steps, withEngines(within)));
}

/** A search for pictures that a license clears. */
export function clearedImageRun(query: SearchQuery, context: JobContext): Promise<CachedCascadeRun<ClearedImage>> {
  const steps = clearedImageSteps(query, context);
  const search = { kind: "cleared", ...identityOf(query), steps, rows: clearedRows };
  return cachedRun(search, context, (within) => first(steps, withEngines(within)));
}

function identityOf({ query, ...options }: SearchQuery, engine?: string) {
  return { query, options: { ...options, engine } };
}

function withEngines(context: JobContext): JobContext {
  return { ...context, health: engineHealth(context.health) };
}
