import { arrayOf, firstText, firstUrl, hostOf, objectOf, textOf, type JsonObject } from "./fields.ts";
import { plainText } from "./text.ts";
import type { AnswerSource, WebAnswer } from "./types.ts";

/** More markup than this is no row of search suggestions. */
const MAX_SUGGESTIONS = 40_000;

interface Segment {
  readonly start: number;
  readonly text: string;
  readonly chunks: readonly number[];
}

/**
 * Sources, searches and suggestions of a grounded answer. The metadata usually stands in the candidate, but it was seen
 * in parts and beside the candidates too, and in snake_case; all of it counts.
 */
export function groundingOf(
  json: JsonObject,
  candidate: JsonObject,
  parts: readonly JsonObject[],
): Pick<WebAnswer, "sources" | "queries" | "suggestions"> {
  const holders = [candidate, objectOf(candidate.content) ?? {}, ...parts, json];
  const all = holders
    .map((holder) => objectOf(member(holder, "groundingMetadata")))
    .filter((metadata) => metadata !== undefined);
  const texts = parts.map((part) => (typeof part.text === "string" ? part.text : ""));
  const suggestions = all
    .map((metadata) => member(objectOf(member(metadata, "searchEntryPoint")) ?? {}, "renderedContent"))
    .find((html) => typeof html === "string" && html !== "" && html.length <= MAX_SUGGESTIONS);
  return {
    sources: all.flatMap((metadata) => sourcesOf(metadata, texts)),
    queries: all.flatMap((metadata) => arrayOf(member(metadata, "webSearchQueries")).map(textOf).filter(Boolean)),
    ...(typeof suggestions === "string" ? { suggestions } : {}),
  };
}

function sourcesOf(metadata: JsonObject, texts: readonly string[]): AnswerSource[] {
  const segments = arrayOf(member(metadata, "groundingSupports"))
    .map((support) => segmentOf(objectOf(support) ?? {}, texts))
    .toSorted((one, other) => one.start - other.start);
  return arrayOf(member(metadata, "groundingChunks")).flatMap((chunk, index) => {
    const holder = objectOf(chunk) ?? {};
    const page = pageOf(holder);
    const url = firstUrl(page.uri, member(page, "sourceUri"));
    if (url === "") return [];
    const supporting = segments.filter(({ chunks }) => chunks.includes(index)).map(({ text }) => text);
    return [
      {
        title: firstText(page.title, page.domain) || hostOf(url),
        url,
        snippet: [...new Set(supporting)].filter(Boolean).join(" "),
      },
    ];
  });
}

function pageOf(chunk: JsonObject): JsonObject {
  const kinds = [chunk.web, chunk.image, chunk.maps, member(chunk, "retrievedContext")];
  return kinds.map(objectOf).find((kind) => kind !== undefined) ?? {};
}

/** Indexes are UTF-8 bytes of one part's text; the start is left out where it is 0. */
function segmentOf(support: JsonObject, texts: readonly string[]): Segment {
  const segment = objectOf(support.segment) ?? {};
  const part = indexOf(member(segment, "partIndex")) ?? 0;
  const start = indexOf(member(segment, "startIndex")) ?? 0;
  const end = indexOf(member(segment, "endIndex"));
  const chunks = arrayOf(member(support, "groundingChunkIndices")).flatMap((value) => indexOf(value) ?? []);
  return { start, text: textOf(segment.text) || bytesBetween(texts[part] ?? "", start, end), chunks };
}

function bytesBetween(text: string, start: number, end: number | undefined): string {
  if (end === undefined || end <= start) return "";
  const bytes = new TextEncoder().encode(text).subarray(start, end);
  // An index inside a character is off by a little, not worthless.
  return plainText(new TextDecoder().decode(bytes).replaceAll("\u{fffd}", ""));
}

function indexOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A member by its camelCase name, or by the same in snake_case. */
function member(object: JsonObject, name: string): unknown {
  return object[name] ?? object[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
