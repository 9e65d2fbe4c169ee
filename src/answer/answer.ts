import type { Attempt } from "../cascade/attempt.ts";
import { wasWanted } from "../cascade/cascade.ts";
import type { FailureClass } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";
import { SluiceError } from "../errors.ts";
import type { AnswerSource, WebAnswer } from "../providers/types.ts";
import { askGemini, askTavily, geminiModels } from "./ask.ts";
import { ANSWER_FAILURE, type AnswerAttempt, type AnswerBody, answerBody, type AnswerStep } from "./body.ts";
import { CLASSIFY_INSTRUCTION, wantsSearch } from "./classify.ts";
import { redactQuery } from "./redact-query.ts";
import { resolveRedirects } from "./redirects.ts";
import { type AnswerLimits, type AnswerRequest, limitsOf, searchOf } from "./request.ts";

/** Of the spec's upper bounds (8 s, 20 s), what leaves each later step its share of the route's 25 s. */
const CLASSIFY = { timeLimitMs: 5_000, reserveMs: 15_000 } as const;
const ANSWER = { timeLimitMs: 14_000, reserveMs: 7_000 } as const;

/** After these a second call would end as the first. */
const HOPELESS: ReadonlySet<FailureClass | undefined> = new Set<FailureClass>([
  "auth",
  "quota",
  "rate",
  "blocked",
  "skipped",
]);

const NOTHING: WebAnswer = { text: "", sources: [], queries: [] };

/** `attempts` are for `Server-Timing` and the log: the failure's own shape has no room for them. */
export type Answered =
  | { readonly kind: "answer"; readonly body: AnswerBody }
  | { readonly kind: "failure"; readonly body: typeof ANSWER_FAILURE; readonly attempts: readonly AnswerAttempt[] };

interface Decision {
  readonly search: boolean;
  /** What the classifier said; null where nobody answered. */
  readonly classified: boolean | null;
  readonly models: readonly string[];
  readonly attempts: readonly AnswerAttempt[];
}

/**
 * Gemini, from memory where that is enough, else grounded on the web; Tavily where Gemini gives no answer that can be
 * used. Throws `no-provider` when neither could be called.
 */
export async function answerQuestion(request: AnswerRequest, context: JobContext): Promise<Answered> {
  const { text: question, redacted } = redactQuery(request.query);
  const limits = limitsOf(request);
  const decision = await classify(question, context);
  const attempts: AnswerAttempt[] = [...decision.attempts];
  const facts = { redacted, attempts, classifiedWeb: decision.classified };

  if (decision.models.length > 0) {
    const reply = await askGemini({ question, grounded: decision.search }, decision.models, ANSWER, context);
    attempts.push(...named("answer", reply.attempts));
    if (reply.answer !== undefined) {
      const sources = decision.search ? await resolveRedirects(shown(reply.answer.sources, limits), context) : [];
      const given = { ...reply.answer, sources };
      return {
        kind: "answer",
        body: answerBody({ ...facts, provider: "gemini", given, usedWeb: decision.search }, limits),
      };
    }
  }

  const reply = await askTavily({ question, grounded: true, search: searchOf(request) }, context);
  attempts.push(...named("search", reply.attempts));
  // A search that found nothing is an answer as well; one that failed is none.
  if (reply.answer === undefined && reply.attempts.at(-1)?.outcome !== "empty") return failure(attempts);
  const given = reply.answer ?? NOTHING;
  return { kind: "answer", body: answerBody({ ...facts, provider: "tavily", given, usedWeb: true }, limits) };
}

/** Leans to searching: only a clear NO of the classifier spares it. */
async function classify(question: string, context: JobContext): Promise<Decision> {
  const query = { question, grounded: false, instruction: CLASSIFY_INSTRUCTION };
  const reply = await askGemini(query, geminiModels(context), CLASSIFY, context);
  const attempts = named("classify", reply.attempts);
  if (reply.answer !== undefined) {
    const search = wantsSearch(reply.answer.text);
    return { search, classified: search, models: reply.models, attempts };
  }
  const isHopeless = HOPELESS.has(reply.attempts.at(-1)?.class);
  return { search: true, classified: null, models: isHopeless ? [] : reply.models, attempts };
}

/** Some lead to the same page and become one, so twice as many as are returned. */
function shown(sources: readonly AnswerSource[], { results }: AnswerLimits): readonly AnswerSource[] {
  return sources.slice(0, results * 2);
}

function failure(attempts: readonly AnswerAttempt[]): Answered {
  if (attempts.some(wasWanted)) return { kind: "failure", body: ANSWER_FAILURE, attempts };
  const settings = "GEMINI_API_KEY or TAVILY_API_KEY";
  throw new SluiceError("no-provider", `Nobody can be asked: set ${settings}, or see \`attempts\` for other reasons.`, {
    context: { attempts },
  });
}

function named(step: AnswerStep, attempts: readonly Attempt[]): AnswerAttempt[] {
  return attempts.map((attempt) => ({ ...attempt, step }));
}
