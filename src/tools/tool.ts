import type { Attempt } from "../cascade/attempt.ts";
import type { JobContext } from "../context.ts";
import type { SearchedImage } from "../reverse/hosted-image.ts";
import type { Style } from "./markdown.ts";
import type { ToolInput } from "./types.ts";

/** One chat tool, as the registry lists it. */
export interface Tool {
  readonly id: string;
  /** On the button. */
  readonly label: string;
  /** Id of the button, where the page has one. */
  readonly button?: string;
  readonly needs: "query" | "image";
  /** Who is asked, in order, in words. */
  readonly asks: string;
  /** What `results` are. */
  readonly answers: string;
  /** Never rejects for what an upstream does. */
  run(call: ToolCall, context: JobContext): Promise<ToolOutput>;
}

export interface ToolCall extends ToolInput {
  readonly style: Style;
  /** Missing for tools that need none. */
  readonly image?: SearchedImage;
}

export interface ToolOutput {
  readonly results: readonly unknown[];
  readonly attempts: readonly Attempt[];
  /** Everyone failed, and the results are older ones that stood in. */
  readonly stale?: true;
  /** Of the results, or the line that says there are none. */
  readonly markdown: string;
}
