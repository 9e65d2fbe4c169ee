import type { Attempt } from "../cascade/attempt.ts";
import { verdictOf, wasWanted } from "../cascade/cascade.ts";
import type { FailureClass } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { neutraliseAny } from "../chat/neutral.ts";
import { type HostedImage, imageAt, imageIn } from "../reverse/hosted-image.ts";
import { lens, reverse, sauceNao } from "./image-tools.ts";
import { deepResearch, github, images, webTool } from "./search-tools.ts";
import type { Tool, ToolOutput } from "./tool.ts";
import type { ToolInput, ToolResult, ToolRunner } from "./types.ts";

/** Every chat tool, in the order of tables and buttons. Ids come from here and from nowhere else. */
export const TOOLS: readonly Tool[] = [
  webTool({ id: "google-search", label: "Web Search", button: "googleSearchBtn" }, "google"),
  lens,
  webTool({ id: "serpapi-bing", label: "Bing", button: "serpapiBingBtn" }, "bing"),
  webTool({ id: "serpapi-baidu", label: "Baidu", button: "serpapiBaiduBtn" }, "baidu"),
  images,
  sauceNao,
  reverse,
  github,
  deepResearch,
];

/** What tools need of a request beside its context. */
export interface ToolServices {
  /** Puts an image that came as data where upstreams can fetch it; what it throws, `run` throws. */
  hostImage(dataUrl: string, context: JobContext): Promise<HostedImage>;
  waitUntil(work: Promise<unknown>): void;
}

/** The tool of an id; `invalid-request` with the valid list for any other. */
export function toolById(id: string): Tool {
  const tool = TOOLS.find((each) => each.id === id);
  if (tool !== undefined) return tool;
  const detail = `must be one of ${TOOLS.map((each) => each.id).join(", ")}`;
  throw new SluiceError("invalid-request", `There is no tool \`${id}\`: it ${detail}.`, {
    faults: [{ pointer: "/id", detail }],
  });
}

/** Runs tools for one request. */
export function toolRunner(services: ToolServices): ToolRunner {
  return {
    ids: () => TOOLS.map(({ id }) => id),
    run: (id, input, context) => runTool(toolById(id), input, context, services),
  };
}

async function runTool(tool: Tool, input: ToolInput, context: JobContext, services: ToolServices): Promise<ToolResult> {
  const style = { language: input.language, clean: neutraliseAny };
  if (tool.needs === "query") {
    if (input.query.trim() === "") return failedBefore(tool, "bad-request", "the tool needs a query");
    return resultOf(tool, await tool.run({ ...input, style }, context));
  }
  if (input.imageUrl === undefined && input.imageData === undefined) {
    return failedBefore(tool, "bad-request", "the tool needs an image");
  }
  if (input.imageUrl !== undefined) {
    return resultOf(tool, await tool.run({ ...input, style, image: imageAt(input.imageUrl) }, context));
  }
  const image = imageIn(input.imageData ?? "", (dataUrl) => services.hostImage(dataUrl, context));
  try {
    return resultOf(tool, await tool.run({ ...input, style, image }, context));
  } finally {
    services.waitUntil(image.remove());
  }
}

function resultOf(tool: Tool, { results, attempts, markdown, stale }: ToolOutput): ToolResult {
  const verdict = verdictOf(attempts);
  if (verdict === "hit")
    return { tool: tool.id, outcome: "hit", markdown, results, attempts, ...(stale ? { stale } : {}) };
  const cause = classOf(attempts);
  if (verdict === "failed") {
    return { tool: tool.id, outcome: "failed", class: cause ?? "skipped", markdown: "", results: [], attempts };
  }
  return { tool: tool.id, outcome: "empty", ...(cause ? { class: cause } : {}), markdown, results: [], attempts };
}

/** Of the first that was asked and failed: it is the one that the tool is made for. */
function classOf(attempts: readonly Attempt[]): FailureClass | undefined {
  return attempts.find((attempt) => attempt.class !== undefined && wasWanted(attempt))?.class;
}

function failedBefore(tool: Tool, failureClass: FailureClass, detail: string): ToolResult {
  const attempt = { provider: tool.id, outcome: "failed", class: failureClass, detail, ms: 0, cached: false, kept: 0 };
  return {
    tool: tool.id,
    outcome: "failed",
    class: failureClass,
    markdown: "",
    results: [],
    attempts: [attempt as Attempt],
  };
}
