import { answerSchema } from "../answer/answer-schema.ts";
import { answerQuestion } from "../answer/answer.ts";
import { answerRequestSchema } from "../answer/request.ts";
import { neutralise } from "../chat/neutral.ts";
import { SluiceError } from "../errors.ts";
import { reverseAnswerSchema } from "../reverse/answer-schema.ts";
import type { ReverseSource } from "../reverse/matches.ts";
import { reverseImageSchema } from "../reverse/request.ts";
import { searchByImage } from "../reverse/search-request.ts";
import { TIME_LIMITS_MS } from "../time-limits.ts";
import { imageAnswerSchema, webAnswerSchema } from "../web/answer-schemas.ts";
import { type ImageRow, searchImages } from "../web/images.ts";
import { imageSearchSchema, webSearchSchema } from "../web/request.ts";
import { searchWeb, type WebRow } from "../web/search.ts";
import { type McpTool, tool } from "./tool.ts";
import { neutralLines, UNTRUSTED, untrustedField, webLink } from "./untrusted.ts";

const READS_THE_WEB = { readOnlyHint: true, openWorldHint: true } as const;
const LONGEST_LINE = 300;

const webSearch = tool({
  name: "web_search",
  title: "Search the web",
  description:
    "Find web pages: current facts, sources, links. Gives titles, links and snippets, not whole pages. Use `answer` for one finished answer with its sources, and `search_images` for pictures. Next: cite the links you use; ask for `page` 2 or other words when nothing fits.",
  scope: "search",
  annotations: READS_THE_WEB,
  input: webSearchSchema,
  output: webAnswerSchema.extend(untrustedField),
  run: async (request, services, signal) => {
    const answer = await searchWeb(request, await services.job(TIME_LIMITS_MS.search, signal));
    const results = answer.results.map(webRow);
    return {
      structured: { ...answer, results, attempts: [...answer.attempts], ...UNTRUSTED },
      attempts: answer.attempts,
      summary: count(results.length, "web result", answer.degraded),
      lines: results.map(({ position, title, link, snippet }) => line(position, title, link, snippet)),
      next: results.length === 0 ? NOTHING : "Cite the links that you use.",
    };
  },
});

const answer = tool({
  name: "answer",
  title: "Answer a question",
  description:
    "Answer one question from the web, with sources. Use it for a fact or a short explanation; use `web_search` to read sources yourself. Keys, e-mail addresses and phone numbers are taken out of the question before anybody is asked. Next: give the answer with its `results` as sources.",
  scope: "search",
  annotations: READS_THE_WEB,
  input: answerRequestSchema,
  output: answerSchema,
  run: async (request, services, signal) => {
    const answered = await answerQuestion(request, await services.job(TIME_LIMITS_MS.answer, signal));
    if (answered.kind === "failure") {
      const context = { attempts: answered.attempts };
      throw new SluiceError("providers-failed", "Neither Gemini nor Tavily gave an answer.", { context });
    }
    const { body } = answered;
    const text = body.answer === null ? null : neutralLines(body.answer);
    const results = body.results.map(({ title, url, snippet, redirect_url: redirect }) => ({
      title: neutralise(title),
      url: webLink(url),
      snippet: neutralise(snippet),
      ...(redirect === undefined ? {} : { redirect_url: webLink(redirect) }),
    }));
    const { search_queries: queries, redacted, attempts, ...rest } = body;
    return {
      structured: {
        ...rest,
        answer: text,
        results,
        redacted: [...redacted],
        ...(queries === undefined ? {} : { search_queries: queries.map((query) => neutralise(query)) }),
        attempts: [...attempts],
      },
      attempts,
      summary:
        text === null
          ? "There is no finished answer, only sources."
          : `An answer by ${body.provider}, ${body.used_web ? "from the web" : "from the model's memory, not the web"}.`,
      lines: [
        ...(text === null ? [] : [text]),
        ...results.map(({ title, url, snippet }, index) => line(index + 1, title, url, snippet)),
      ],
      ...(text === null && results.length === 0 ? { next: NOTHING } : {}),
    };
  },
});

const searchForImages = tool({
  name: "search_images",
  title: "Search images",
  description:
    "Find pictures on the web and their addresses. With `license: cleared` only those that may be used, with author and credit line; `any` gives pictures to look at or link to, whose license is unknown. To put a picture into a project with its provenance, use `show_candidates` and `promote_image` instead. Next: show the credit beside a cleared picture.",
  scope: "search",
  annotations: READS_THE_WEB,
  input: imageSearchSchema,
  output: imageAnswerSchema.extend(untrustedField),
  run: async (request, services, signal) => {
    const found = await searchImages(request, await services.job(TIME_LIMITS_MS.search, signal));
    const results = found.results.map(imageRow).filter(({ imageUrl }) => imageUrl !== "");
    return {
      structured: { ...found, results, attempts: [...found.attempts], ...UNTRUSTED },
      attempts: found.attempts,
      summary: count(results.length, "picture", found.degraded),
      lines: results.map(({ title, imageUrl, credit }, index) => line(index + 1, title, imageUrl, credit ?? "")),
      next:
        results.length === 0
          ? NOTHING
          : request.license === "cleared"
            ? "Show each picture's `credit` beside it."
            : "Their licenses are unknown: search with `license: cleared` for pictures that may be used.",
    };
  },
});

const reverse = tool({
  name: "reverse_image",
  title: "Find where an image comes from",
  description:
    "Find the source of a picture, its author, and pictures like it. Give `image_url` for one on the web or `image_data_url` for one that you hold, not both; `language: en` for an English `summary`. `mode: cascade` is cheaper and stops at the first engine that finds anything. Next: open the `sources` before you name an author; `similar` are not certain.",
  scope: "search",
  annotations: READS_THE_WEB,
  input: reverseImageSchema,
  output: reverseAnswerSchema.extend(untrustedField),
  run: async (request, services, signal) => {
    const { bucket, tenant, newId, waitUntil } = services;
    const context = await services.job(TIME_LIMITS_MS.reverseImage, signal);
    const found = await searchByImage(request, { context, bucket, tenant, newId, waitUntil });
    const sources = found.sources.map(sourceRow);
    const similar = found.similar.map(sourceRow);
    return {
      structured: {
        ...found,
        sources,
        similar,
        knowledge: found.knowledge === null ? null : neutralise(found.knowledge),
        summary: neutralLines(found.summary),
        attempts: [...found.attempts],
        ...UNTRUSTED,
      },
      attempts: found.attempts,
      summary: `${count(sources.length, "source", found.degraded)} ${count(similar.length, "similar picture")}`,
      lines: [...sources, ...similar].map(({ title, author, url }, index) => line(index + 1, title, url, author)),
      ...(sources.length + similar.length === 0 ? { next: NOTHING } : {}),
    };
  },
});

/** Tools that look and change nothing. */
export const SEARCH_TOOLS: readonly McpTool[] = [webSearch, answer, searchForImages, reverse];

const NOTHING = "Nothing was found: try other or fewer words. Do not make results up.";

function count(number: number, what: string, degraded?: true): string {
  const some = `${number} ${what}${number === 1 ? "" : "s"}.`;
  return degraded ? `${some} Not every provider could be asked, so there may be more: try again later.` : some;
}

function line(number: number, title: string, link: string, more: string): string {
  const rest = more === "" ? "" : `\n   ${more.slice(0, LONGEST_LINE)}`;
  return `${number}. ${title}${link === "" ? "" : ` (${link})`}${rest}`;
}

function webRow(row: WebRow): WebRow {
  return {
    ...row,
    title: neutralise(row.title),
    link: webLink(row.link),
    snippet: neutralise(row.snippet),
    source: neutralise(row.source),
  };
}

function imageRow(row: ImageRow): ImageRow {
  const { license, author, credit } = row;
  return {
    ...row,
    title: neutralise(row.title),
    imageUrl: webLink(row.imageUrl),
    thumbnailUrl: webLink(row.thumbnailUrl),
    link: webLink(row.link),
    source: neutralise(row.source),
    ...(license === undefined ? {} : { license: { ...license, url: webLink(license.url) } }),
    ...(author === undefined ? {} : { author: neutralise(author) }),
    ...(credit === undefined ? {} : { credit: neutralise(credit) }),
  };
}

function sourceRow(source: ReverseSource): ReverseSource {
  return {
    ...source,
    title: neutralise(source.title),
    author: neutralise(source.author),
    url: webLink(source.url),
    thumbnail: webLink(source.thumbnail ?? "") || null,
  };
}
