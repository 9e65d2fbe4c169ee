import type { Attempt } from "../cascade/attempt.ts";
import type { FailureClass } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";

export type ToolLanguage = "vi" | "en";

/** What a tool is asked. A tool takes what it can use and leaves the rest. */
export interface ToolInput {
  readonly query: string;
  /** Absolute http(s), from the caller: no tool may fetch it but through the door. */
  readonly imageUrl?: string;
  /** `data:image/...`, as the caller attached it. */
  readonly imageData?: string;
  /** Of `markdown`. */
  readonly language: ToolLanguage;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly country?: string;
  /** BCP 47. */
  readonly locale?: string;
  /** Results wanted; the tool's own number where missing. */
  readonly num?: number;
}

/** What became of one run. Empty and failed are different things, and no error text ever stands in `markdown`. */
export interface ToolResult {
  readonly tool: string;
  readonly outcome: "hit" | "empty" | "failed";
  /** Of a failure. */
  readonly class?: FailureClass;
  /** For the model and for people: the tool's own text shape. Empty when the tool failed. */
  readonly markdown: string;
  /** Structured, in the shape of the tool. */
  readonly results: readonly unknown[];
  /** Everyone failed, and the results are older ones that stood in. */
  readonly stale?: true;
  readonly attempts: readonly Attempt[];
}

/** All tools of this deployment, by the ids of the one registry. */
export interface ToolRunner {
  ids(): readonly string[];
  /** Never rejects for what an upstream does; throws `invalid-request` for an id that is not in `ids()`. */
  run(id: string, input: ToolInput, context: JobContext): Promise<ToolResult>;
}
