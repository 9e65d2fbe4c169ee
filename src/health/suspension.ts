import type { Suspension } from "../cascade/health.ts";
import type { Failed, FailureClass, Outcome } from "../cascade/outcome.ts";

/** What a call says of a step's health. Plain data: it travels to the provider-health object. */
export interface HealthReport {
  /** Name of the step: provider id, with `#2` and so on for its further keys. */
  readonly step: string;
  /** Fingerprint of the key that was used: see `fingerprint.ts`. */
  readonly key: string;
  /** When the call ended, epoch milliseconds. */
  readonly at: number;
  /** How long it took, milliseconds. */
  readonly ms: number;
  /** Missing after a hit or `empty`. */
  readonly failure?: Failed;
  /** In [0, 1): spreads the return of those who were sent away together. */
  readonly random: number;
  /** The call had the try of a suspension that was over, and ended without telling anything of the provider. */
  readonly released?: true;
}

/** The wish to be the one call that tries a step whose suspension is over. */
export interface ProbeClaim {
  readonly step: string;
  readonly key: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** After so long the call has ended, or whoever made it has died: the try is free again. */
  readonly limitMs: number;
}

/** The classes that say something of the provider, and not of one request. */
export type Cause = Exclude<FailureClass, "bad-request" | "skipped">;

/** The memory of one step's failures; a step without one is well. */
export interface StepHealth {
  readonly key: string;
  /** Of the last failure. */
  readonly cause: Cause;
  /** Failures of this cause in a row, those during a suspension left out. */
  readonly repetitions: number;
  /** When the last of them was noted, epoch milliseconds. */
  readonly since: number;
  /** Not called before, epoch milliseconds; 0 when not suspended yet. */
  readonly until: number;
  /** In our own words. */
  readonly detail: string;
  /** The suspension is over, and one call has the try until then: epoch milliseconds. */
  readonly probedUntil?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A provider that is slow, broken or talks nonsense once may be well at the next call. */
const PASSING: ReadonlySet<Cause> = new Set<Cause>(["timeout", "transient", "malformed"]);
/** So many passing failures in a row are no accident. */
const PASSING_FAILURES = 3;
/** A call that was ended sooner (little time left, a caller who went) says nothing of the provider. */
const SHORTEST_TELLING_TIMEOUT_MS = 2 * SECOND;
/** Suspensions grow longer by up to this part. */
const JITTER = 0.1;

/** First and longest suspension of each cause, milliseconds. Each repetition doubles it. */
const SPANS: Readonly<Record<Cause, { readonly first: number; readonly longest: number }>> = {
  rate: { first: SECOND, longest: MINUTE },
  blocked: { first: 5 * MINUTE, longest: 6 * HOUR },
  quota: { first: HOUR, longest: DAY },
  auth: { first: HOUR, longest: HOUR },
  timeout: { first: 5 * SECOND, longest: 5 * MINUTE },
  transient: { first: 5 * SECOND, longest: 5 * MINUTE },
  malformed: { first: 5 * SECOND, longest: 5 * MINUTE },
};

/** The report of an outcome; undefined when it says nothing of the provider's health. */
export function reportOf(
  call: Pick<HealthReport, "step" | "key" | "at" | "ms" | "random">,
  outcome: Outcome<unknown>,
): HealthReport | undefined {
  const failure = outcome.kind === "hit" ? outcome.endedBy : outcome.kind === "failed" ? outcome : undefined;
  if (failure === undefined) return call;
  const cause = causeOf(failure, call.ms);
  return cause === undefined ? undefined : { ...call, failure };
}

/** What is remembered of a step after a report; undefined when it is well. A report that says nothing changes nothing. */
export function nextHealth(previous: StepHealth | undefined, report: HealthReport): StepHealth | undefined {
  // What another key did counts for nothing.
  const before = previous?.key === report.key ? previous : undefined;
  const { failure, at } = report;
  if (report.released) return before === undefined ? undefined : withoutProbe(before);
  if (failure === undefined) {
    // A call that had begun before the failure does not disprove it.
    const begunBefore = before !== undefined && at - report.ms < before.since;
    return begunBefore ? before : undefined;
  }
  const cause = causeOf(failure, report.ms);
  if (cause === undefined) return before;
  const again = before !== undefined && related(before.cause, cause);
  // Calls that were under way together fail together: that is one failure.
  const sameWave = again && at < before.until;
  const repetitions = sameWave ? before.repetitions : again ? before.repetitions + 1 : 1;
  const span = spanOf(cause, repetitions, failure, report.random);
  const until = span === 0 ? 0 : Math.round(at + span);
  // A longer suspension that holds already stands, with its reason.
  if (before !== undefined && before.until > at && until <= before.until) return before;
  return { key: report.key, cause, repetitions, since: at, until, detail: failure.detail };
}

/** Why a step with this key must not be called now; undefined when it may be. */
export function suspensionOf(health: StepHealth | undefined, key: string, now: number): Suspension | undefined {
  if (health === undefined || health.key !== key) return undefined;
  const { until, probedUntil = 0, cause, detail } = health;
  if (now < until) return { reason: `suspended until ${new Date(until).toISOString()} (${cause}): ${detail}`, until };
  if (now >= probedUntil) return undefined;
  return { reason: `was suspended (${cause}), and another request is trying it: ${detail}`, until: probedUntil };
}

/** Whether a step's suspension is over without proof that it is well: one call may try it, and has to ask for that. */
export function isHalfOpen(health: StepHealth | undefined, key: string, now: number): boolean {
  return health !== undefined && health.key === key && health.until > 0 && now >= health.until;
}

/** What is remembered once `claim` has the try; undefined when it is not to be had, or not needed. */
export function claimed(health: StepHealth | undefined, { key, at, limitMs }: ProbeClaim): StepHealth | undefined {
  if (health === undefined || !isHalfOpen(health, key, at) || at < (health.probedUntil ?? 0)) return undefined;
  return { ...health, probedUntil: at + limitMs };
}

/** Whether a failure is of the provider and not of the account: its other keys would meet the same. */
export function isOfProvider({ cause }: StepHealth): boolean {
  return PASSING.has(cause);
}

function withoutProbe(health: StepHealth): StepHealth {
  const { probedUntil: _, ...others } = health;
  return others;
}

function causeOf(failure: Failed, ms: number): Cause | undefined {
  if (failure.class === "bad-request" || failure.class === "skipped") return undefined;
  if (failure.class === "timeout" && ms < SHORTEST_TELLING_TIMEOUT_MS) return undefined;
  // Without a status it was our own refusal: a full house, or the guard at the door.
  if ((failure.class === "rate" || failure.class === "blocked") && failure.status === undefined) return undefined;
  return failure.class;
}

function related(one: Cause, other: Cause): boolean {
  return one === other || (PASSING.has(one) && PASSING.has(other));
}

/** Milliseconds of suspension; 0 for none yet. */
function spanOf(cause: Cause, repetitions: number, failure: Failed, random: number): number {
  const { first, longest } = SPANS[cause];
  const free = PASSING.has(cause) ? PASSING_FAILURES - 1 : 0;
  if (repetitions <= free) return 0;
  // Only another key helps, and that ends the suspension by itself.
  if (failure.permanent) return DAY;
  const grown = Math.min(longest, first * 2 ** Math.min(repetitions - free - 1, 30));
  const asked = failure.retryAfterMs ?? 0;
  const spread = 1 + JITTER * random;
  // A quota comes back when its clock says so, however far that is, and never earlier.
  if (cause === "quota" && asked > 0) return asked + Math.min(asked * JITTER, MINUTE) * random;
  return Math.min(longest, Math.max(first, Math.max(grown, asked) * spread));
}
