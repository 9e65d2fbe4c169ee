import { Hono } from "hono";
import { type Article, ARTICLES, WIKIPEDIA_LANGUAGES } from "../catalogue/wikipedia.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, slice } from "./answering.ts";
import { actionRefusal, mediawikiError, searchParameters } from "./mediawiki.ts";

/** Wire: mediawiki.org/wiki/API:Search, `list=search`. */
export const wikipedia = new Hono<SimulatorEnv>();

for (const language of WIKIPEDIA_LANGUAGES) {
  const articles = ARTICLES.filter((article) => article.language === language);
  wikipedia.get(`/${language}.wikipedia.org/w/api.php`, (c) => {
    const refused = actionRefusal(c);
    if (refused !== undefined) return refused;
    if (c.req.query("list") !== "search")
      return mediawikiError(c, "badvalue", "Unrecognized value for parameter list.");
    const parameters = searchParameters(c, "sr");
    if ("error" in parameters) return parameters.error;
    const { text, limit, offset, warnings } = parameters;
    const all = found(c, articles, text);
    const more = all.length > offset + limit;
    return c.json({
      batchcomplete: c.req.query("formatversion") === "2" ? true : "",
      ...(more ? { continue: { sroffset: offset + limit, continue: "-||" } } : {}),
      ...warnings,
      query: {
        searchinfo: { totalhits: all.length },
        search: slice(all, offset, limit).map((article) => entry(article, text)),
      },
    });
  });
}

function entry(article: Article, query: string): unknown {
  const words = new Set(query.toLowerCase().split(/\s+/));
  const snippet = article.snippet
    .replaceAll("&", "&amp;")
    .replaceAll(/[\p{L}\p{N}]+/gu, (word) =>
      words.has(word.toLowerCase()) ? `<span class="searchmatch">${word}</span>` : word,
    );
  return {
    ns: 0,
    title: article.title,
    pageid: article.pageId,
    size: 20_000,
    wordcount: 3_000,
    snippet,
    timestamp: "2026-09-14T08:21:05Z",
  };
}
