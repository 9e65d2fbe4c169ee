import { setTimeout as wait } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";

const PAUSE_MS = 5;

const bodySchema = z.object({
  model: z.literal("test-chat-model"),
  stream: z.boolean().default(false),
  messages: z
    .array(
      z.object({
        role: z.enum(["system", "user", "assistant"]),
        content: z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]),
      }),
    )
    .min(1),
});

type Message = z.infer<typeof bodySchema>["messages"][number];

/**
 * Wire: platform.openai.com/docs/api-reference/chat. A message that begins with `/echo` gets the whole prompt back as
 * JSON; `/stall`, `/break`, `/filter`, `/trouble` and `/plain` make an answer that stops, is cut, is filtered, reports an
 * error, or is not streamed.
 */
export const chat = new Hono<SimulatorEnv>();

chat.post("/v1/chat/completions", async (c) => {
  if (c.req.header("authorization") !== `Bearer ${TEST_KEYS.CHAT_API_KEY}`) {
    return refused(c, 401, "Incorrect API key provided", "invalid_api_key");
  }
  const body = bodySchema.safeParse(await c.req.json().catch(() => undefined));
  if (!body.success) return refused(c, 400, "Invalid request", null);
  const { messages, stream } = body.data;
  const asked = textOf(messages.at(-1)!);
  const pieces = asked.startsWith("/echo") ? chunked(JSON.stringify(messages)) : ["Gold ", "is ", "yellow."];
  if (!stream || asked.startsWith("/plain")) {
    return c.json({
      choices: [{ index: 0, message: { role: "assistant", content: pieces.join("") }, finish_reason: "stop" }],
    });
  }
  return streamSSE(c, async (out) => {
    const send = (data: unknown) => out.writeSSE({ data: JSON.stringify(data) });
    await send(choice({ role: "assistant", content: "" }));
    for (const [index, content] of pieces.entries()) {
      await send(choice({ content }));
      await wait(PAUSE_MS);
      if (index > 0) continue;
      if (asked.startsWith("/stall")) await new Promise((resolve) => c.env.outgoing.once("close", resolve));
      if (asked.startsWith("/break")) return;
      if (asked.startsWith("/trouble")) await send({ error: { message: "boom", type: "server_error" } });
    }
    await send(choice({}, asked.startsWith("/filter") ? "content_filter" : "stop"));
    await out.writeSSE({ data: "[DONE]" });
  });
});

function choice(delta: Record<string, unknown>, finish: string | null = null): unknown {
  return { object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] };
}

function textOf({ content }: Message): string {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}

/** Of 400 characters: more than one for any prompt. */
function chunked(text: string): string[] {
  return text.match(/[\s\S]{1,400}/gu) ?? [];
}

function refused(c: Context<SimulatorEnv>, status: 400 | 401, message: string, code: string | null): Response {
  return c.json({ error: { message, type: "invalid_request_error", param: null, code } }, status);
}
