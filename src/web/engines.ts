import type { Step } from "../cascade/cascade.ts";
import type { Health } from "../cascade/health.ts";
import type { FailureClass, Outcome } from "../cascade/outcome.ts";
import type { JobContext } from "../context.ts";
import { stepsOf } from "../providers/call.ts";
import type { Capability, Provider } from "../providers/types.ts";

/** Between an account and an engine in the name of a step: `serpapi:bing`, `serpapi#2:bing`. */
const MARK = ":";

/** These say something of the account, whichever of its engines was asked. */
const OF_ACCOUNT: ReadonlySet<FailureClass> = new Set<FailureClass>(["auth", "quota", "rate", "blocked"]);

/** The steps of one engine of a provider, each named by its account and the engine. */
export function engineSteps<Q, R>(
  provider: Provider,
  engine: string,
  capability: Capability<Q, R>,
  query: Q,
  context: JobContext,
): Step<R>[] {
  const { config, door, clock, pace } = context;
  const steps = stepsOf(provider, capability, query, config, door, clock.now(), pace);
  return rotated(steps).map((step) => ({ ...step, name: `${step.name}${MARK}${engine}` }));
}

/** The engine in a step's name; undefined for a step that has its provider's usual one. */
export function engineIn(step: string): string | undefined {
  const at = step.indexOf(MARK);
  return at < 0 ? undefined : step.slice(at + 1);
}

/**
 * A further key is asked only after a refusal of the one before: any other answer, an empty one above all, would come
 * again and cost a second call.
 */
export function rotated<R>(steps: readonly Step<R>[]): Step<R>[] {
  let last: Outcome<R> | "pending" | undefined;
  return steps.map((step) => ({
    ...step,
    run: async (signal) => {
      if (last !== undefined && !refusesAccount(last)) {
        return { kind: "failed", class: "skipped", detail: "the key before it was not refused" };
      }
      last = "pending";
      last = await step.run(signal);
      return last;
    },
  }));
}

/**
 * Health for steps that name an engine: what refuses the account counts for all its engines, everything else for the
 * one engine.
 */
export function engineHealth(health: Health): Health {
  return {
    refresh: async () => health.refresh?.(),
    suspension: (step) => health.suspension(accountOf(step)) ?? health.suspension(step),
    report: (step, outcome, ms) => {
      const account = accountOf(step);
      const isAccounts = refusesAccount(outcome);
      health.report(isAccounts ? account : step, outcome, ms);
      if (account === step) return;
      // Of the other one the call tells nothing, unless it went well: then both are well.
      if (isAccounts || outcome.kind === "failed") health.release?.(isAccounts ? step : account);
      else health.report(account, outcome, ms);
    },
    claim: (step, limitMs) => claimBoth(health, step, limitMs),
    release: (step) => {
      for (const each of new Set([accountOf(step), step])) health.release?.(each);
    },
    latency: (step) => health.latency?.(step),
    noteLatency: (step, ms) => health.noteLatency?.(step, ms),
  };
}

/** A step of an engine may be tried when its account may be, and the engine too. */
function claimBoth(health: Health, step: string, limitMs: number): ReturnType<NonNullable<Health["claim"]>> {
  const account = accountOf(step);
  const first = health.claim?.(account, limitMs);
  if (account === step) return first;
  if (first === undefined) return health.claim?.(step, limitMs);
  return first.then(async (taken) => {
    if (taken !== undefined) return taken;
    const second = await health.claim?.(step, limitMs);
    // Whoever may not go on gives back what it has.
    if (second !== undefined) health.release?.(account);
    return second;
  });
}

/** The account in a step's name: `serpapi#2`. */
export function accountOf(step: string): string {
  return step.split(MARK, 1)[0]!;
}

function refusesAccount(outcome: Outcome<unknown> | "pending"): boolean {
  return outcome !== "pending" && outcome.kind === "failed" && OF_ACCOUNT.has(outcome.class);
}
