import { cachedRun } from "../cache/cached-run.ts";
import { repositoryRows } from "../cache/rows.ts";
import { first } from "../cascade/cascade.ts";
import type { ChainSetting } from "../config.ts";
import { stepsOf } from "../providers/call.ts";
import { PROVIDERS, providerById } from "../providers/registry.ts";
import type { Repository, SearchQuery } from "../providers/types.ts";
import { DEFAULT_CHAINS, webSteps } from "../web/chains.ts";
import { engineHealth, engineIn, rotated } from "../web/engines.ts";
import { imageEngineOf } from "../web/images.ts";
import { USUAL_IMAGE_ENGINE, USUAL_WEB_ENGINE } from "../web/request.ts";
import { imageRun, webRun, webRunOf } from "../web/runs.ts";
import { webEngineOf, webRow } from "../web/search.ts";
import {
  imagesMarkdown,
  noImagesMarkdown,
  noRepositoriesMarkdown,
  noWebMarkdown,
  repositoriesMarkdown,
  webMarkdown,
} from "./markdown.ts";
import { fuseRanks, pageKey } from "./rank-fusion.ts";
import type { Tool, ToolCall } from "./tool.ts";

const WEB_RESULTS = 5;
const IMAGE_RESULTS = 6;
const REPOSITORIES = 5;
const BING = "bing";

/** A web search that begins with an engine; whoever answers in its place is named in its place. */
export function webTool(facts: Pick<Tool, "id" | "label" | "button">, engine: string): Tool {
  return {
    ...facts,
    needs: "query",
    asks: chainBehind(engine, "WEB_CHAIN"),
    answers: "`title`, `link`, `snippet`, `position`, `source`, `date`?",
    run: async (call, context) => {
      const num = call.num ?? WEB_RESULTS;
      const chosen = engine === USUAL_WEB_ENGINE ? undefined : engine;
      const { hits, attempts, stale } = await webRun(queryOf(call, num), context, chosen);
      const [hit] = hits;
      if (hit === undefined) return { results: [], attempts, markdown: noWebMarkdown(engine, call.style) };
      const rows = hit.results.slice(0, num).map((result, index) => webRow(result, index + 1));
      const markdown = webMarkdown(rows, [webEngineOf(hit.name)], isSearchApi(hit.name), call.style);
      return { results: rows, attempts, markdown, ...(stale ? { stale } : {}) };
    },
  };
}

/** The web chain and Bing side by side, merged by reciprocal rank, with twice the results. */
export const deepResearch: Tool = {
  id: "deep-research",
  label: "Deep Research",
  button: "deepResearchToolBtn",
  needs: "query",
  asks: "the web chain and SerpAPI `bing` side by side, merged by reciprocal rank",
  answers: "as `google-search`, twice as many, each with its `engine`",
  run: async (call, context) => {
    const num = (call.num ?? WEB_RESULTS) * 2;
    const query = queryOf(call, num);
    const bingSteps = webSteps(query, context, BING).filter((step) => engineIn(step.name) === BING);
    const runs = await Promise.all([webRun(query, context), webRunOf(bingSteps, query, context, BING)]);
    const attempts = runs.flatMap((run) => run.attempts);
    const hits = runs.flatMap((run) => run.hits);
    const lists = hits.map(({ name, results }) => results.map((result) => ({ result, engine: webEngineOf(name) })));
    const merged = fuseRanks(lists, ({ result }) => pageKey(result.link)).slice(0, num);
    if (merged.length === 0) return { results: [], attempts, markdown: noWebMarkdown(USUAL_WEB_ENGINE, call.style) };
    const rows = merged.map(({ result, engine }, index) => ({ ...webRow(result, index + 1), engine }));
    const engines = [...new Set(hits.map(({ name }) => webEngineOf(name)))];
    const stale = runs.some((run) => run.stale) ? { stale: true as const } : {};
    return { results: rows, attempts, markdown: webMarkdown(rows, engines, false, call.style), ...stale };
  },
};

export const images: Tool = {
  id: "serpapi-images",
  label: "Img Search",
  button: "serpapiImagesBtn",
  needs: "query",
  asks: chainBehind(USUAL_IMAGE_ENGINE, "IMAGE_CHAIN"),
  answers: "`title`, `imageUrl`, `thumbnailUrl`, `width`?, `height`?, `link`, `source`",
  run: async (call, context) => {
    const num = call.num ?? IMAGE_RESULTS;
    const { hits, attempts, stale } = await imageRun(queryOf(call, num), context);
    const [hit] = hits;
    if (hit === undefined) return { results: [], attempts, markdown: noImagesMarkdown(call.query, call.style) };
    const rows = hit.results.slice(0, num);
    const markdown = imagesMarkdown(rows, imageEngineOf(hit.name), call.query, call.style);
    return { results: rows, attempts, markdown, ...(stale ? { stale } : {}) };
  },
};

export const github: Tool = {
  id: "github",
  label: "GitHub",
  button: "githubBtn",
  needs: "query",
  asks: "GitHub repositories, by stars",
  answers: "`name`, `description`, `stars`, `language`, `url`",
  run: async (call, context) => {
    const num = call.num ?? REPOSITORIES;
    const query = queryOf(call, num);
    const { config, door, clock, pace } = context;
    const steps = PROVIDERS.flatMap((provider) =>
      provider.repositories === undefined
        ? []
        : rotated(stepsOf(provider, provider.repositories, query, config, door, clock.now(), pace)),
    );
    const { query: words, ...options } = query;
    const search = { kind: "repositories", query: words, options, steps, rows: repositoryRows };
    const { hits, attempts, stale } = await cachedRun<Repository>(search, context, (within) =>
      first(steps, { ...within, health: engineHealth(within.health) }),
    );
    const rows = hits.flatMap((hit) => hit.results).slice(0, num);
    const markdown = rows.length === 0 ? noRepositoriesMarkdown(call.style) : repositoriesMarkdown(rows, call.style);
    return { results: rows, attempts, markdown, ...(stale ? { stale } : {}) };
  },
};

/** In words: an engine of the first provider of a default chain, and the providers behind it. */
function chainBehind(engine: string, setting: ChainSetting): string {
  const [head = "", ...others] = DEFAULT_CHAINS[setting].map((id) => providerById(id)?.name ?? id);
  return [`${head} \`${engine}\``, ...others].join(" → ");
}

function queryOf({ query, country, locale }: ToolCall, num: number): SearchQuery {
  return {
    query: query.replaceAll(/\s+/g, " ").trim(),
    page: 1,
    num,
    safe: true,
    ...(country ? { country } : {}),
    ...(locale ? { locale } : {}),
  };
}

function isSearchApi(step: string): boolean {
  return step.startsWith("google-cse");
}
