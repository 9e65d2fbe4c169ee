import { z } from "@hono/zod-openapi";
import { readDataImage } from "../reverse/data-image.ts";
import { SEARCH_MODES } from "./auto-trigger.ts";

const MAX_IMAGES = 5;
/** Of all data URLs together, in characters. */
const LONGEST_IMAGES = 15 * 1024 * 1024;
const LONGEST_MESSAGE = 32_000;
const MAX_TURNS = 30;
const LONGEST_TURN = 4_000;
const LONGEST_PROMPT = 8_000;

/** The whole body: the images and the texts around them. */
export const MAX_CHAT_BYTES = LONGEST_IMAGES + 1024 * 1024;

const turnSchema = z.object({
  role: z.enum(["user", "assistant"]),
  content: z.string().transform((text) => text.slice(0, LONGEST_TURN)),
});

/** Body of `POST /chat/stream`. Fields that other servers of this contract know and this one has no use for are ignored. */
export function chatRequestSchema(toolIds: readonly string[]) {
  return z
    .object({
      message: z
        .string()
        .max(LONGEST_MESSAGE)
        .refine((message) => message.trim() !== "", "must not be empty"),
      language: z.enum(["vi", "en"]).default("vi").openapi({ description: "Of the tools' texts and instructions" }),
      search: z.enum(SEARCH_MODES).default("auto").openapi({
        description: "Whether a web search is added to `tools`: `auto` decides by the message",
      }),
      tools: z
        .preprocess(fromJsonText, z.array(z.string()).max(2 * toolIds.length))
        .default([])
        .superRefine((tools, issues) => {
          for (const [index, tool] of tools.entries()) {
            if (toolIds.includes(tool)) continue;
            issues.addIssue({ code: "custom", path: [index], message: `must be one of ${toolIds.join(", ")}` });
          }
        })
        .transform((tools) => [...new Set(tools)])
        .openapi({
          type: "array",
          items: { type: "string", enum: [...toolIds] },
          description: "Run whatever `search` says. An array, or the same as JSON text",
        }),
      images: z
        .array(z.string().startsWith("data:image/", "must be a data URL of an image"))
        .max(MAX_IMAGES)
        .default([])
        .refine((images) => images.reduce((sum, { length }) => sum + length, 0) <= LONGEST_IMAGES, {
          message: `must be at most ${LONGEST_IMAGES} characters together`,
          abort: true,
        })
        .superRefine((images, issues) => {
          for (const [index, image] of images.entries()) {
            const read = readDataImage(image);
            if ("fault" in read) issues.addIssue({ code: "custom", path: [index], message: read.fault });
          }
        }),
      history: z
        .array(turnSchema)
        .max(1_000)
        .default([])
        .transform((turns) => turns.slice(-MAX_TURNS))
        .openapi({ description: `Earlier turns: the last ${MAX_TURNS} of them, ${LONGEST_TURN} characters of each` }),
      custom_prompt: z
        .string()
        .max(LONGEST_PROMPT)
        .default("")
        .openapi({ description: "Stands in the system message" }),
      context: z
        .string()
        .max(100)
        .default("casual")
        .openapi({ description: "Comes back in `metadata` and `complete`" }),
    })
    .openapi("ChatRequest");
}

export type ChatRequest = z.infer<ReturnType<typeof chatRequestSchema>>;

function fromJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return [];
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
