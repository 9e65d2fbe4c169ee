import { type Attempt, toAttempt } from "./attempt.ts";
import { Run } from "./run.ts";
import type { CascadeContext, Step } from "./step.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export type { CascadeContext, Step } from "./step.ts";
export { type Verdict, verdictOf, wasWanted } from "./verdict.ts";

/** How far to go. The three ways to run steps differ in nothing else. */
export interface Policy<T> {
  /** Steps that may run at the same time. */
  readonly concurrency: number;
  /** No further step starts, and running ones are aborted, once this is true of all results so far. */
  enough(results: readonly T[]): boolean;
  /**
   * Number of the group that the step at an index belongs to, never falling. A group starts when those before it have
   * ended. Missing: one group of all, or with a concurrency of 1 every step for itself.
   */
  group?(index: number): number;
  /** Lets running steps end once there is enough, and records those that were never started as skipped. */
  readonly settle?: true;
  /**
   * One answer is wanted, so a slow step gets the next one beside it, where the context allows hedging. The first hit
   * ends the run: a better-placed step that is still open is not waited for, and wins only if its hit is there in the
   * same moment.
   */
  readonly hedge?: true;
}

export interface CascadeRun<T> {
  /** Per step that hit, in the order of the steps, whatever order they ended in; with `hedge` the best-placed only. */
  readonly hits: readonly { readonly name: string; readonly results: readonly T[] }[];
  /** In the order of the steps. */
  readonly attempts: readonly Attempt[];
  readonly verdict: Verdict;
}

/** In order; stops at the first hit. */
export function first<T>(steps: readonly Step<T>[], context: CascadeContext): Promise<CascadeRun<T>> {
  return runCascade(steps, { concurrency: 1, enough: (results) => results.length > 0, hedge: true }, context);
}

/** All of them, at most `concurrency` at a time; nothing is stopped. */
export function gather<T>(steps: readonly Step<T>[], context: CascadeContext, concurrency = 4): Promise<CascadeRun<T>> {
  return runCascade(steps, { concurrency, enough: () => false }, context);
}

/**
 * Group after group, each in parallel, keeping all that comes; groups that are left once `enough` is true of what came
 * so far are recorded as skipped.
 */
export function additive<T>(
  groups: readonly (readonly Step<T>[])[],
  enough: (results: readonly T[]) => boolean,
  context: CascadeContext,
): Promise<CascadeRun<T>> {
  const groupOf = groups.flatMap((group, number) => group.map(() => number));
  const concurrency = Math.max(1, ...groups.map((group) => group.length));
  return runCascade(
    groups.flat(),
    { concurrency, enough, group: (index) => groupOf[index] ?? groups.length, settle: true },
    context,
  );
}

/** Runs steps under a policy. Never throws: whatever a step does becomes an outcome in the record. */
export async function runCascade<T>(
  steps: readonly Step<T>[],
  policy: Policy<T>,
  context: CascadeContext,
): Promise<CascadeRun<T>> {
  const ends = await new Run(steps, policy, context).ends();
  const attempts: Attempt[] = [];
  const hits: { name: string; results: readonly T[] }[] = [];
  for (const [index, { name }] of steps.entries()) {
    const end = ends[index];
    if (end === undefined) continue;
    attempts.push(toAttempt(name, end.outcome, end.ms, false, end.hedged));
    if (end.outcome.kind === "hit") hits.push({ name, results: end.outcome.results });
  }
  return { hits: policy.hedge === true ? hits.slice(0, 1) : hits, attempts, verdict: verdictOf(attempts) };
}
