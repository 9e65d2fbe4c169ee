import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import { PROVIDERS } from "../providers/registry.ts";
import type { WebResult } from "../providers/types.ts";
import { engineIn } from "./engines.ts";
import { worth } from "./no-answer.ts";
import { searchQuery, USUAL_WEB_ENGINE, type WebSearchRequest } from "./request.ts";
import { webRun } from "./runs.ts";

export interface WebRow {
  readonly title: string;
  readonly link: string;
  readonly snippet: string;
  /** From 1, over all pages. */
  readonly position: number;
  readonly source: string;
  readonly date?: string;
}

export interface WebAnswer {
  readonly results: readonly WebRow[];
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

/** Providers that sell another company's results. */
const RESOLD: Readonly<Record<string, string>> = {
  serpapi: USUAL_WEB_ENGINE,
  "google-cse": USUAL_WEB_ENGINE,
  serper: USUAL_WEB_ENGINE,
};

/**
 * One web search over the chain. Nothing found is an answer; `providers-failed` and `no-provider` are thrown when no
 * provider answered.
 */
export async function searchWeb(request: WebSearchRequest, context: JobContext): Promise<WebAnswer> {
  const query = searchQuery(request);
  const engine = request.engine === USUAL_WEB_ENGINE ? undefined : request.engine;
  const run = await webRun(query, context, engine);
  const [hit] = run.hits;
  const answer = { attempts: run.attempts, ...worth(run.attempts), ...(run.stale ? { stale: run.stale } : {}) };
  if (hit === undefined) return { results: [], ...answer };
  const firstPosition = (request.page - 1) * request.num + 1;
  return {
    results: hit.results.slice(0, request.num).map((result, index) => webRow(result, firstPosition + index)),
    provider: hit.name,
    engine: webEngineOf(hit.name),
    ...answer,
  };
}

/** How people call whoever gave a result: `Google`, `Bing`, `Wikipedia`. */
export function engineLabel(engine: string): string {
  const provider = PROVIDERS.find(({ id }) => id === engine);
  return provider?.name ?? engine.charAt(0).toUpperCase() + engine.slice(1);
}

/** The engine whose results a step of the web chain gives. */
export function webEngineOf(step: string): string {
  const provider = step.split(/[#:]/, 1)[0]!;
  return engineIn(step) ?? RESOLD[provider] ?? provider;
}

export function webRow(result: WebResult, position: number): WebRow {
  const { title, link, snippet, source, date } = result;
  return { title, link, snippet, position, source, ...(date === undefined ? {} : { date }) };
}
