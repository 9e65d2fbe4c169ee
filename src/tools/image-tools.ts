import type { JobContext } from "../context.ts";
import { reverseSearch } from "../reverse/answer.ts";
import type { EngineFinding } from "../reverse/engines.ts";
import { sorted, sourceOf } from "../reverse/matches.ts";
import {
  type ReverseRun,
  type ReverseSearch,
  reverseCascade,
  reverseMulti,
  searchSauceNao,
} from "../reverse/search.ts";
import { reverseSummary } from "../reverse/summary.ts";
import { noReverseMarkdown, reverseMarkdown } from "./markdown.ts";
import type { Tool, ToolCall, ToolOutput } from "./tool.ts";

const SOURCE = "`title`, `author`, `url`, `thumbnail`, `similarity`, `source_engine`";

export const sauceNao: Tool = {
  id: "saucenao",
  label: "SauceNAO",
  button: "saucenaoBtn",
  needs: "image",
  asks: "SauceNAO",
  answers: `${SOURCE}, \`links\``,
  run: async (call, context) => oneEngine(await searchSauceNao(searchOf(call), context), "saucenao", call),
};

export const lens: Tool = {
  id: "serpapi-reverse-image",
  label: "Lens",
  button: "googleLensBtn",
  needs: "image",
  asks: "SerpAPI `google_lens` → `google_reverse_image` → `yandex_images` → `bing_reverse_image`",
  answers: `${SOURCE}, \`links\``,
  run: async (call, context) => oneEngine(await reverseCascade(searchOf(call), context), "any", call),
};

export const reverse: Tool = {
  id: "reverse-image",
  label: "Reverse image",
  needs: "image",
  asks: "SauceNAO and Lens together; then Google reverse, Yandex and Bing while fewer than three sources are certain",
  answers: `${SOURCE}, \`kind\` (\`source\` or \`similar\`)`,
  run: async (call: ToolCall, context: JobContext): Promise<ToolOutput> => {
    const { findings, attempts, stale } = await reverseMulti(searchOf(call), context);
    const found = sorted(findings);
    return {
      results: [
        ...found.sources.map((row) => ({ ...row, kind: "source" })),
        ...found.similar.map((row) => ({ ...row, kind: "similar" })),
      ],
      attempts,
      markdown: reverseSummary(found, call.style),
      ...(stale ? { stale } : {}),
    };
  },
};

function oneEngine(
  { findings, attempts, stale }: ReverseRun,
  none: "saucenao" | "any",
  { style }: ToolCall,
): ToolOutput {
  const [found] = findings;
  if (found === undefined) return { results: [], attempts, markdown: noReverseMarkdown(none, style) };
  return {
    results: rowsOf(found),
    attempts,
    markdown: reverseMarkdown(found.engine, found.finding, style),
    ...(stale ? { stale } : {}),
  };
}

function rowsOf({ engine, finding }: EngineFinding): unknown[] {
  return finding.matches.map((match) => ({ ...sourceOf(engine, match), links: match.links ?? [match.link] }));
}

function searchOf({ image, country, locale }: ToolCall): ReverseSearch {
  if (image === undefined) throw new Error("an image tool was called without an image");
  return reverseSearch(image, { country, locale });
}
