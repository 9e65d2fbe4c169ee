import { type CaseFacts, type FaultCase, htmlCase, jsonCase } from "./fault-case.ts";

const RPC = "type.googleapis.com/google.rpc";

/** Wire: generativelanguage.googleapis.com, generateContent. Most of what goes wrong with an answer comes with a 200. */
export function geminiCases({ key }: CaseFacts): FaultCase[] {
  return [
    ...errors(key),
    answer("prompt-blocked", "blocked", { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
    ...["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"].map((reason) =>
      answer(`finish-${reason.toLowerCase()}`, "blocked", candidate("", reason)),
    ),
    answer("empty-text", "empty", candidate("", "STOP")),
    answer("no-parts", "empty", { candidates: [{ content: { role: "model" }, finishReason: "STOP" }] }),
    answer("thoughts-only", "empty", {
      candidates: [{ content: { parts: [{ text: "Let me see.", thought: true }] }, finishReason: "STOP" }],
    }),
    answer("max-tokens-without-text", "transient", candidate("", "MAX_TOKENS")),
    answer("truncated", "transient", candidate("The answer begins and", "MAX_TOKENS")),
    answer("unexpected-tool-call", "transient", candidate("", "UNEXPECTED_TOOL_CALL")),
    answer("too-many-tool-calls", "transient", candidate("", "TOO_MANY_TOOL_CALLS")),
    answer("no-candidates", "transient", { candidates: [], usageMetadata: { promptTokenCount: 9 } }),
    answer("error-object", "malformed", { error: { code: 500, message: `Internal (key ${key})`, status: "INTERNAL" } }),
    answer("no-sources", "malformed", candidate("I know this without looking.", "STOP")),
    answer("searched-without-sources", "malformed", {
      candidates: [
        {
          content: { parts: [{ text: "I looked and name nothing." }] },
          finishReason: "STOP",
          groundingMetadata: { webSearchQueries: ["x"], groundingSupports: [{ groundingChunkIndices: [0] }] },
        },
      ],
    }),
    htmlCase("web-page", 200, "malformed", "Sorry..."),
  ];
}

function errors(key: string): FaultCase[] {
  return [
    geminiError("key-invalid", 400, "auth", "INVALID_ARGUMENT", `API key not valid: ${key}`, [
      { "@type": `${RPC}.ErrorInfo`, reason: "API_KEY_INVALID", domain: "googleapis.com" },
    ]),
    geminiError("invalid-argument", 400, "bad-request", "INVALID_ARGUMENT", "Invalid value at 'contents'"),
    {
      ...geminiError("failed-precondition", 400, "auth", "FAILED_PRECONDITION", "User location is not supported"),
      permanent: true,
    },
    geminiError("unauthenticated", 401, "auth", "UNAUTHENTICATED", "Request had invalid credentials"),
    geminiError("permission-denied", 403, "auth", "PERMISSION_DENIED", `Your API key ${key} was reported as leaked`),
    geminiError("model-gone", 404, "bad-request", "NOT_FOUND", "models/x is not found for API version v1beta"),
    geminiError("quota-per-day", 429, "quota", "RESOURCE_EXHAUSTED", "You exceeded your current quota", [
      quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
      { "@type": `${RPC}.RetryInfo`, retryDelay: "22s" },
    ]),
    {
      ...geminiError("rate-per-minute", 429, "rate", "RESOURCE_EXHAUSTED", "You exceeded your current quota", [
        quotaFailure("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
        { "@type": `${RPC}.RetryInfo`, retryDelay: "22s" },
      ]),
      retryAfterMs: 22_000,
    },
    geminiError("grounding-used-up", 429, "quota", "RESOURCE_EXHAUSTED", "Resource has been exhausted", [
      { "@type": `${RPC}.Help`, links: [{ description: "Learn more", url: "https://ai.google.dev" }] },
    ]),
    geminiError("rate-without-details", 429, "rate", "RESOURCE_EXHAUSTED", "Resource has been exhausted"),
    geminiError("internal", 500, "transient", "INTERNAL", `An internal error has occurred (${key})`),
    geminiError("unavailable", 503, "transient", "UNAVAILABLE", "The model is overloaded"),
    geminiError("deadline-exceeded", 504, "transient", "DEADLINE_EXCEEDED", "Deadline expired"),
  ];
}

/** Google's error envelope; the simulator's handler answers with it too. */
export function geminiError(
  id: string,
  code: number,
  expected: FaultCase["expected"],
  status: string,
  message: string,
  details?: readonly unknown[],
): FaultCase {
  return jsonCase(id, code, expected, { error: { code, message, status, ...(details ? { details } : {}) } });
}

function quotaFailure(quotaId: string): unknown {
  return { "@type": `${RPC}.QuotaFailure`, violations: [{ quotaMetric: "generate_requests", quotaId }] };
}

function answer(id: string, expected: FaultCase["expected"], body: unknown): FaultCase {
  return jsonCase(id, 200, expected, body);
}

function candidate(text: string, finishReason: string): unknown {
  return { candidates: [{ content: { role: "model", parts: text === "" ? [] : [{ text }] }, finishReason }] };
}
