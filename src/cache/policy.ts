import type { Attempt } from "../cascade/attempt.ts";
import { type CascadeRun, wasWanted } from "../cascade/cascade.ts";
import { providerById } from "../providers/registry.ts";
import type { CacheTerms } from "../providers/types.ts";

/** In seconds. */
export interface Lifetime {
  /** An entry this old is as good as new. */
  readonly fresh: number;
  /** For so long after that it stands in when everything fails. */
  readonly staleIfError: number;
}

/** For a provider whose terms say nothing. */
const UNKNOWN_TERMS: CacheTerms = { fresh: 300, staleIfError: 0 };
/** Something may be found the next minute. */
const EMPTY_SECONDS = 60;
/** What was found although a better-placed provider failed is replaced as soon as that one may be back. */
const SECOND_CHOICE_SECONDS = 300;

/** What the provider of a step allows. */
export function termsOf(step: string): CacheTerms {
  return providerById(step.split(/[#:]/, 1)[0]!)?.cache ?? UNKNOWN_TERMS;
}

/**
 * How long the outcome of a search may be kept: the strictest terms of those who gave it. Undefined for what failed, for
 * nothing found where not everyone answered, and where a provider lets nothing be kept.
 */
export function lifetimeOf(run: Pick<CascadeRun<unknown>, "hits" | "attempts" | "verdict">): Lifetime | undefined {
  if (run.verdict === "hit") {
    const terms = run.hits.map(({ name }) => termsOf(name));
    const fresh = Math.min(...terms.map((each) => each.fresh));
    if (fresh === 0) return undefined;
    return {
      fresh: run.attempts.some(hasFailed) ? Math.min(fresh, SECOND_CHOICE_SECONDS) : fresh,
      staleIfError: Math.min(...terms.map((each) => each.staleIfError)),
    };
  }
  if (run.verdict !== "empty") return undefined;
  const terms = run.attempts.filter(({ outcome }) => outcome === "empty").map(({ provider }) => termsOf(provider));
  if (terms.some(({ fresh }) => fresh === 0)) return undefined;
  return { fresh: Math.min(...terms.map(({ empty }) => empty ?? EMPTY_SECONDS)), staleIfError: 0 };
}

function hasFailed(attempt: Attempt): boolean {
  return attempt.class !== undefined && wasWanted(attempt);
}
