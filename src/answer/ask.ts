import { cachedRun } from "../cache/cached-run.ts";
import { answerRows } from "../cache/rows.ts";
import type { Attempt } from "../cascade/attempt.ts";
import { first } from "../cascade/cascade.ts";
import { earlier } from "../cascade/deadline.ts";
import type { JobContext } from "../context.ts";
import { stepsOf } from "../providers/call.ts";
import { GEMINI_MODELS, gemini } from "../providers/gemini.ts";
import { tavily } from "../providers/tavily.ts";
import type { AnswerQuery, Capability, Provider, WebAnswer } from "../providers/types.ts";

/** What one provider said to one question. */
export interface Reply {
  readonly answer?: WebAnswer;
  /** At least one; the last is what the reply came to. */
  readonly attempts: readonly Attempt[];
  /** For the next question: those that are gone are left out. */
  readonly models: readonly string[];
}

/** The operator's model, then the current ones. */
export function geminiModels(context: JobContext): readonly string[] {
  const { geminiModel } = context.config;
  return [...new Set([...(geminiModel === undefined ? [] : [geminiModel]), ...GEMINI_MODELS])];
}

/** Asks Gemini within `timeLimitMs`, of which `reserveMs` of the request's time stay untouched. */
export async function askGemini(
  query: AnswerQuery,
  models: readonly string[],
  { timeLimitMs, reserveMs }: { readonly timeLimitMs: number; readonly reserveMs: number },
  context: JobContext,
): Promise<Reply> {
  const capability = { ...capabilityOf(gemini), timeLimitMs };
  const within = { ...context, deadline: earlier(context.deadline, reserveMs, context.clock) };
  const attempts: Attempt[] = [];
  for (const [index, model] of models.entries()) {
    const run = await first(steps(gemini, capability, { ...query, model }, context), within);
    attempts.push(...run.attempts);
    const answer = run.hits[0]?.results[0];
    if (answer !== undefined) return { answer, attempts, models: models.slice(index) };
    if (!isModelGone(attempts.at(-1))) return { attempts, models: models.slice(index) };
  }
  return { attempts, models: [] };
}

export async function askTavily(query: AnswerQuery, context: JobContext): Promise<Reply> {
  const asked = steps(tavily, capabilityOf(tavily), query, context);
  const { question, ...options } = query;
  const search = { kind: "answer", query: question, options, steps: asked, rows: answerRows };
  const run = await cachedRun(search, context, (within) => first(asked, within));
  const answer = run.hits[0]?.results[0];
  return { ...(answer === undefined ? {} : { answer }), attempts: run.attempts, models: [] };
}

/** Gemini answers 404 for nothing but a model that it does not have. */
function isModelGone(attempt: Attempt | undefined): boolean {
  return attempt?.class === "bad-request" && attempt.status === 404;
}

function steps(
  provider: Provider,
  capability: Capability<AnswerQuery, WebAnswer>,
  query: AnswerQuery,
  context: JobContext,
) {
  return stepsOf(provider, capability, query, context.config, context.door, context.clock.now(), context.pace);
}

function capabilityOf(provider: Provider): Capability<AnswerQuery, WebAnswer> {
  if (provider.answers === undefined) throw new Error(`${provider.id} gives no answers`);
  return provider.answers;
}
