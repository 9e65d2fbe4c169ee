import type { Candidate } from "./candidate.ts";
import { type RelevanceToken, relevanceTokens } from "./query-ladder.ts";
import { decodedUrl, scriptRuns } from "./text.ts";
import { TRANSIT_MARKS, TRANSIT_WORDS } from "./words.ts";

/** Folded metadata: whole words, and text of scripts without word boundaries. */
export interface Metadata {
  readonly words: ReadonlySet<string>;
  readonly joint: string;
}

/** A query, read once for all the candidates it found. */
export interface ReadQuery {
  readonly tokens: readonly RelevanceToken[];
  readonly asksForTransit: boolean;
}

export function metadataOf({
  title,
  author,
  sourcePageUrl,
}: Pick<Candidate, "title" | "author" | "sourcePageUrl">): Metadata {
  return metadataOfText([title, author, decodedUrl(sourcePageUrl)].join("\n"));
}

export function readQuery(query: string): ReadQuery {
  return { tokens: relevanceTokens(query), asksForTransit: isAboutTransit(metadataOfText(query)) };
}

/** How far the metadata holds what a query asks for. */
export interface Relevance {
  /** 0–1. A query without any word fits everything. */
  readonly share: number;
  /** The query's words, folded, that are there in whole or in part. */
  readonly found: readonly string[];
  readonly asked: number;
}

export function relevanceOf(metadata: Metadata, tokens: readonly RelevanceToken[]): Relevance {
  let total = 0;
  let share = 0;
  const found: string[] = [];
  for (const { text, parts, joint, weight } of tokens) {
    const hits = parts.filter((part) => (joint ? metadata.joint.includes(part) : metadata.words.has(part)));
    if (hits.length > 0) found.push(text);
    total += weight;
    share += (weight * hits.length) / parts.length;
  }
  return { share: total === 0 ? 1 : share / total, found, asked: tokens.length };
}

export function isAboutTransit({ words, joint }: Metadata): boolean {
  return TRANSIT_MARKS.some((mark) => joint.includes(mark)) || [...words].some((word) => TRANSIT_WORDS.has(word));
}

function metadataOfText(text: string): Metadata {
  const runs = scriptRuns(text);
  return {
    words: new Set(runs.filter((run) => !run.joint).map((run) => run.text)),
    // Line ends keep pairs of characters from being read across two runs.
    joint: runs
      .filter((run) => run.joint)
      .map((run) => run.text)
      .join("\n"),
  };
}
