import { fenceRule } from "../chat/instructions.ts";
import { neutralise, neutraliseBlock } from "../chat/neutral.ts";
import { z } from "@hono/zod-openapi";
import { UNTRUSTED_NOTE } from "../answer/body.ts";

const LONGEST_BLOCK = 16_000;

/** Stands beside whatever came from the web, so that the data says of itself what it is. */
export const untrustedField = { untrusted_note: z.string() };
export const UNTRUSTED = { untrusted_note: UNTRUSTED_NOTE };

/** Lines from the web between two marks that nothing in them can imitate: `fence` is new for each result. */
export function fenced(lines: readonly string[], fence: string): string[] {
  if (lines.length === 0) return [];
  const [open, close] = [`⟦data ${fence}⟧`, `⟦/data ${fence}⟧`];
  const block = neutraliseBlock(lines.join("\n"), LONGEST_BLOCK).replaceAll(fence, "");
  return [fenceRule(open, close, "en"), open, block, close];
}

/** A text of several lines, such as an answer or Markdown, each of them made harmless. */
export function neutralLines(text: string): string {
  return neutraliseBlock(
    text
      .split("\n")
      .map((line) => neutralise(line))
      .join("\n"),
    LONGEST_BLOCK,
  );
}

/** The same address where it is http(s); else nothing. */
export function webLink(address: string): string {
  if (!URL.canParse(address)) return "";
  const url = new URL(address);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : "";
}
