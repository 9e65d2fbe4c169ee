import { z } from "@hono/zod-openapi";
import type { CallToolResult, Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import type { batchSchema } from "../batches/batch-schema.ts";
import type { Attempt } from "../cascade/attempt.ts";
import type { Scope } from "../config.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import { fieldFaults } from "../field-faults.ts";
import type { ImageCommit, ImageSink } from "../images/commit.ts";
import { jsonSchema } from "./json-schema.ts";
import { fenced } from "./untrusted.ts";

/** What one call's tools work with: everything is the calling tenant's own. */
export interface ToolServices {
  readonly tenant: string;
  readonly bucket: R2Bucket;
  /** A job's context, with its time limit in milliseconds; it ends earlier when `signal` aborts. */
  job(timeLimitMs: number, signal: AbortSignal): Promise<JobContext>;
  sink(project: string): ImageSink;
  /** Ends the batch row of an image that somebody chose. */
  reconcile(project: string, commit: ImageCommit): Promise<void>;
  /** A page of a batch's rows behind `after`; undefined where the project has no such batch. */
  batch(project: string, id: string, after: number): Promise<z.infer<typeof batchSchema> | undefined>;
  waitUntil(work: Promise<unknown>): void;
  /** A name that nobody can guess. */
  newId(): string;
}

/** What a tool gives back. */
interface Shown<O> {
  readonly structured: O;
  readonly attempts?: readonly Attempt[];
  /** In our own words: what came out. */
  readonly summary: string;
  /** From the web; the agent is told so. */
  readonly lines?: readonly string[];
  /** In our own words: what to do next. */
  readonly next?: string;
  readonly jpeg?: Uint8Array;
}

export interface ToolFacts<I extends z.ZodType, O extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  readonly input: I;
  readonly output: O;
  run(input: z.output<I>, services: ToolServices, signal: AbortSignal): Promise<Shown<z.input<O>>>;
}

export interface McpTool {
  readonly name: string;
  readonly scope: Scope;
  /** As `tools/list` shows it. */
  listed(): Tool;
  /** Throws `SluiceError`. */
  call(
    args: unknown,
    services: ToolServices,
    signal: AbortSignal,
  ): Promise<{ readonly result: CallToolResult; readonly attempts: readonly Attempt[] }>;
}

export function tool<I extends z.ZodType, O extends z.ZodType>(facts: ToolFacts<I, O>): McpTool {
  const { name, title, description, scope, annotations, input, output, run } = facts;
  // Schemas are rendered when an agent first asks for them, never for a deployment that serves none.
  let listed: Tool | undefined;
  return {
    name,
    scope,
    listed: () =>
      (listed ??= {
        name,
        title,
        description,
        annotations,
        inputSchema: jsonSchema(input, "input"),
        outputSchema: jsonSchema(output, "output"),
      }),
    call: async (args, services, signal) => {
      const parsed = input.safeParse(args ?? {});
      if (!parsed.success) {
        const faults = fieldFaults(parsed.error);
        throw new SluiceError("invalid-request", `The arguments of ${name} are not valid.`, { faults });
      }
      const shown = await run(parsed.data, services, signal);
      return { result: resultOf(shown, services.newId().slice(0, 8)), attempts: shown.attempts ?? [] };
    },
  };
}

function resultOf({ structured, summary, lines = [], next, jpeg }: Shown<unknown>, fence: string): CallToolResult {
  const text = [summary, ...fenced(lines, fence), ...(next === undefined ? [] : [next])].join("\n");
  return {
    content: [
      { type: "text", text },
      ...(jpeg === undefined ? [] : [{ type: "image" as const, data: jpeg.toBase64(), mimeType: "image/jpeg" }]),
    ],
    structuredContent: structured as Record<string, unknown>,
  };
}
