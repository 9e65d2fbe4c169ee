import type { ToolLanguage, ToolResult } from "../tools/types.ts";
import { fenceRule, framingOf, nothingFound } from "./instructions.ts";
import { neutraliseBlock } from "./neutral.ts";

/** Of one tool's results in a prompt, in characters. */
const LONGEST_BLOCK = 16_000;

export interface Envelope {
  /** For the system message; missing where nothing was searched. */
  readonly system?: string;
  /** The user's message with the results of each tool behind it. */
  readonly user: string;
}

/**
 * The message with search results, each block as `---`, label, results, `---`, instruction. The results stand inside a
 * fence with `fence` in it, which must be random and new for each request: nothing in them can end it.
 */
export function envelopeOf(
  message: string,
  results: readonly ToolResult[],
  fence: string,
  language: ToolLanguage,
): Envelope {
  if (results.length === 0) return { user: message };
  const [open, close] = [`⟦data ${fence}⟧`, `⟦/data ${fence}⟧`];
  const found = results.filter(({ outcome }) => outcome === "hit");
  const missing = results.filter(({ outcome }) => outcome !== "hit").map(({ tool }) => tool);
  const system = [
    ...(found.length === 0 ? [] : [fenceRule(open, close, language)]),
    ...(missing.length === 0 ? [] : [nothingFound(missing, language)]),
  ].join("\n");
  const user = found.reduce((grown, result) => `${grown}\n\n${block(result, open, close, fence, language)}`, message);
  return { system, user };
}

function block(result: ToolResult, open: string, close: string, fence: string, language: ToolLanguage): string {
  const { label, instruction } = framingOf(result.tool, language);
  const results = neutraliseBlock(result.markdown, LONGEST_BLOCK).replaceAll(fence, "");
  return ["---", ...(label === undefined ? [] : [label]), open, results, close, "---", instruction].join("\n");
}
