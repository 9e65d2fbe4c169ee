import type { Attempt } from "./attempt.ts";

/**
 * - `hit`: at least one result
 * - `empty`: every step that was called answered, and none has anything
 * - `inconclusive`: nothing found, but not every step answered
 * - `failed`: no step answered
 */
export type Verdict = "hit" | "empty" | "inconclusive" | "failed";

export function verdictOf(attempts: readonly Attempt[]): Verdict {
  if (attempts.some((attempt) => attempt.outcome === "hit")) return "hit";
  const called = attempts.filter(wasWanted);
  const answered = called.filter((attempt) => attempt.outcome === "empty").length;
  if (answered === 0) return "failed";
  return answered === called.length ? "empty" : "inconclusive";
}

/** Whether a step counts: one that is only suspended might have had something, one without a key might not. */
export function wasWanted(attempt: Attempt): boolean {
  return attempt.class !== "skipped" || attempt.retry_after_ms !== undefined;
}
