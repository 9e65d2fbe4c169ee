import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { geminiError } from "../cases/gemini.ts";
import { PAGES, type WebPage } from "../catalogue/pages.ts";
import { TEST_KEYS } from "../keys.ts";
import type { SimulatorEnv } from "../simulator-env.ts";
import { found, slice } from "./answering.ts";

const MODELS = new Set(["gemini-3.1-flash-lite", "gemini-3.5-flash"]);
const SOURCES = 3;
/** Questions with one of these words are about today. */
const TODAY = /\b(today|latest|news|price|weather|who won|current|now|schedule|score|hôm nay|giá)\b/iu;

const parts = z.object({ parts: z.array(z.object({ text: z.string() })).min(1) });
const bodySchema = z.object({
  contents: z.array(parts).min(1),
  systemInstruction: parts.optional(),
  tools: z.array(z.object({ google_search: z.strictObject({}) })).optional(),
  generationConfig: z
    .strictObject({ temperature: z.number().optional(), maxOutputTokens: z.int().min(1).optional() })
    .optional(),
});

type Call = Context<SimulatorEnv>;

/** Wire: generativelanguage.googleapis.com. */
export const gemini = new Hono<SimulatorEnv>();

gemini.post("/v1beta/models/:call", async (c) => {
  const key = c.req.header("x-goog-api-key");
  if (key === undefined) return refused(c, 403, "PERMISSION_DENIED", "Method doesn't allow unregistered callers");
  if (key !== TEST_KEYS.GEMINI_API_KEY) {
    const reason = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
    return refused(c, 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [reason]);
  }
  const [model = "", method] = c.req.param("call").split(":");
  if (method !== "generateContent" || !MODELS.has(model)) {
    return refused(c, 404, "NOT_FOUND", `models/${model} is not found for API version v1beta`);
  }
  const body = bodySchema.safeParse(await c.req.json().catch(() => undefined));
  if (!body.success) return refused(c, 400, "INVALID_ARGUMENT", "Invalid JSON payload received.");
  const { contents, systemInstruction, tools } = body.data;
  const question = textOf(contents[0]!);
  if (c.get("findNothing")) return c.json(answer(model, ""));
  if (systemInstruction !== undefined) return c.json(answer(model, TODAY.test(question) ? "YES." : "NO."));
  if (tools === undefined) return c.json(answer(model, `From memory: ${question}`));
  return c.json(grounded(c, model, question));
});

/** Where grounded answers point to. */
export const geminiRedirects = new Hono<SimulatorEnv>();

geminiRedirects.get("/grounding-api-redirect/:token", (c) => {
  const link = Buffer.from(c.req.param("token"), "base64url").toString();
  return PAGES.some((page) => page.link === link) ? c.redirect(link, 302) : c.text("Not Found\n", 404);
});

/** Tells the calls of one question apart, so that a fault can meet one of them: `gemini:classify` and so on. */
export function geminiCallOf(body: string): string {
  if (body.includes('"google_search"')) return "gemini:grounded";
  return body.includes('"systemInstruction"') ? "gemini:classify" : "gemini:direct";
}

function grounded(c: Call, model: string, question: string): unknown {
  const pages = slice(found(c, PAGES, question), 0, SOURCES);
  const opening = "Đây là điều các nguồn nói — ";
  const sentences = pages.map((page) => `“${page.title}”: ${page.snippet} `);
  const text = pages.length === 0 ? "I found nothing on this." : opening + sentences.join("");
  let end = Buffer.byteLength(opening);
  const groundingSupports = sentences.map((sentence, index) => {
    const startIndex = end;
    end += Buffer.byteLength(sentence);
    return { segment: { startIndex, endIndex: end }, groundingChunkIndices: [index] };
  });
  return answer(model, text, {
    webSearchQueries: [question],
    searchEntryPoint: {
      renderedContent: '<div class="container"><a class="chip" href="https://google.test">more</a></div>',
    },
    ...(pages.length === 0 ? {} : { groundingChunks: pages.map(chunkOf), groundingSupports }),
  });
}

function chunkOf({ link }: WebPage): unknown {
  const token = Buffer.from(link).toString("base64url");
  const uri = `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${token}`;
  return { web: { uri, title: new URL(link).host } };
}

function answer(model: string, text: string, groundingMetadata?: unknown): unknown {
  return {
    candidates: [
      {
        content: { role: "model", parts: text === "" ? [] : [{ text }] },
        finishReason: "STOP",
        index: 0,
        ...(groundingMetadata === undefined ? {} : { groundingMetadata }),
      },
    ],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 30, totalTokenCount: 50 },
    modelVersion: model,
    responseId: "r1",
  };
}

function refused(c: Call, code: ContentfulStatusCode, status: string, message: string, details?: unknown[]): Response {
  return c.body(geminiError("", code, "auth", status, message, details).body, code, {
    "content-type": "application/json; charset=UTF-8",
  });
}

function textOf(content: z.infer<typeof parts>): string {
  return content.parts.map(({ text }) => text).join("");
}
