import type { Clock } from "../cascade/deadline.ts";
import type { Health, Latency, Suspension } from "../cascade/health.ts";
import type { Outcome } from "../cascade/outcome.ts";
import { type LatencySample, withoutKeyNumber } from "./latency.ts";
import {
  type HealthReport,
  isHalfOpen,
  isOfProvider,
  nextHealth,
  type ProbeClaim,
  reportOf,
  type StepHealth,
  suspensionOf,
} from "./suspension.ts";
import { withinMs } from "../cascade/within.ts";

/** What the provider-health object knows. */
export interface HealthSnapshot {
  /** By step name. */
  readonly steps: Readonly<Record<string, StepHealth>>;
  /** By step name without the number of its key. */
  readonly latencies: Readonly<Record<string, Latency>>;
}

/** What the client needs of the provider-health object. */
export interface HealthStore {
  snapshot(): Promise<HealthSnapshot>;
  /** Returns what is known after the reports. */
  report(reports: readonly HealthReport[], samples: readonly LatencySample[]): Promise<HealthSnapshot>;
  /** Gives the try of a step whose suspension is over to one caller; `health` is what is known of the step then. */
  claimProbe(claim: ProbeClaim): Promise<{ readonly granted: boolean; readonly health?: StepHealth }>;
}

/** What one isolate knows. Plain data, so requests may share it. */
export interface HealthCopy extends HealthSnapshot {
  /** Epoch milliseconds of the last answer of the store; 0 before the first. */
  readAt: number;
  /** A request is fetching it since then; 0 when none is. */
  readingSince: number;
  steps: Readonly<Record<string, StepHealth>>;
  latencies: Readonly<Record<string, Latency>>;
  /** Not told yet: they go with the next call to the store, whichever request makes it. */
  samples: LatencySample[];
}

export interface HealthClientOptions {
  readonly store: HealthStore;
  readonly copy: HealthCopy;
  /** Fingerprint by step name. */
  readonly keys: ReadonlyMap<string, string>;
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  waitUntil(work: Promise<unknown>): void;
}

/** A copy this old is still used, while a newer one is fetched behind it. */
const FRESH_MS = 1_000;
/** A copy this old is waited for: an isolate that slept knows nothing of what others learned. */
const STALE_MS = 10_000;
/** For one answer of the store. Without it everybody is well. */
const STORE_LIMIT_MS = 500;
/** More answers than that in a second tell nothing new. */
const MOST_SAMPLES = 200;

export function emptyCopy(): HealthCopy {
  return { readAt: 0, readingSince: 0, steps: {}, latencies: {}, samples: [] };
}

/** Provider health as one request sees it. Nothing here throws: a store that does not answer changes nothing. */
export class HealthClient implements Health {
  readonly #options: HealthClientOptions;
  readonly #unsent: HealthReport[] = [];
  /** Steps whose try this request has. */
  readonly #probing = new Set<string>();
  #sending = false;

  constructor(options: HealthClientOptions) {
    this.#options = options;
  }

  /** Brings the copy up to date: at once when it is fresh, behind the request when it is a little old. */
  async refresh(): Promise<void> {
    const { copy, clock, waitUntil } = this.#options;
    const age = clock.now() - copy.readAt;
    if (age < FRESH_MS) return;
    if (age >= STALE_MS) return this.read();
    const underWay = clock.now() - copy.readingSince < STORE_LIMIT_MS;
    if (!underWay) waitUntil(this.read());
  }

  /** Asks the store now. */
  async read(): Promise<void> {
    const { copy, clock, store } = this.#options;
    copy.readingSince = clock.now();
    const samples = copy.samples.splice(0);
    const ask = () => (samples.length === 0 ? store.snapshot() : store.report([], samples));
    this.#take(await withinMs(STORE_LIMIT_MS, ask));
    copy.readingSince = 0;
  }

  suspension(step: string): Suspension | undefined {
    const { copy, keys, clock } = this.#options;
    const key = keys.get(step);
    if (key === undefined) return undefined;
    const own = suspensionOf(copy.steps[step], key, clock.now());
    return own ?? this.#suspensionOfProvider(step);
  }

  claim(step: string, limitMs: number): Promise<Suspension | undefined> | undefined {
    const { copy, keys, clock } = this.#options;
    const key = keys.get(step);
    const at = clock.now();
    if (key === undefined || !isHalfOpen(copy.steps[step], key, at)) return undefined;
    return this.#claim({ step, key, at, limitMs });
  }

  report(step: string, outcome: Outcome<unknown>, ms: number): void {
    const { copy, clock, keys, random } = this.#options;
    const key = keys.get(step);
    if (key === undefined) return;
    const report = reportOf({ step, key, at: clock.now(), ms, random: random() }, outcome);
    if (report === undefined) return this.release(step);
    this.#probing.delete(step);
    // That all is still well is no news.
    if (report.failure === undefined && copy.steps[step] === undefined) return;
    this.#tell(report);
  }

  release(step: string): void {
    const { clock, keys, random } = this.#options;
    const key = keys.get(step);
    if (key === undefined || !this.#probing.delete(step)) return;
    this.#tell({ step, key, at: clock.now(), ms: 0, random: random(), released: true });
  }

  latency(step: string): Latency | undefined {
    return this.#options.copy.latencies[withoutKeyNumber(step)];
  }

  noteLatency(step: string, ms: number): void {
    const { copy, clock, waitUntil } = this.#options;
    if (copy.samples.length < MOST_SAMPLES) copy.samples.push({ step: withoutKeyNumber(step), ms });
    // Within the second they wait for the next call: an answer is no reason for one of its own.
    if (clock.now() - copy.readAt >= FRESH_MS && !this.#sending) waitUntil(this.#send());
  }

  /** Another key of the same provider met a failure that has nothing to do with keys. */
  #suspensionOfProvider(step: string): Suspension | undefined {
    const { copy, keys, clock } = this.#options;
    for (const [other, health] of Object.entries(copy.steps)) {
      const key = keys.get(other);
      if (other === step || key === undefined || !isOfProvider(health)) continue;
      if (withoutKeyNumber(other) !== withoutKeyNumber(step)) continue;
      const suspension = suspensionOf(health, key, clock.now());
      if (suspension !== undefined) return suspension;
    }
    return undefined;
  }

  async #claim(claim: ProbeClaim): Promise<Suspension | undefined> {
    const { copy, store, clock } = this.#options;
    const { step, key } = claim;
    const answer = await withinMs(STORE_LIMIT_MS, () => store.claimProbe(claim));
    if (answer === undefined) return undefined;
    copy.steps = withStep(copy.steps, step, answer.health);
    if (!answer.granted) return suspensionOf(answer.health, key, clock.now());
    this.#probing.add(step);
    return undefined;
  }

  #tell(report: HealthReport): void {
    const { copy, waitUntil } = this.#options;
    // The isolate knows at once; the others when the store has told them.
    copy.steps = withStep(copy.steps, report.step, nextHealth(copy.steps[report.step], report));
    this.#unsent.push(report);
    if (!this.#sending) waitUntil(this.#send());
  }

  /** Reports that come while others are on their way go together. */
  async #send(): Promise<void> {
    const { copy, store } = this.#options;
    this.#sending = true;
    do {
      const reports = this.#unsent.splice(0);
      const samples = copy.samples.splice(0);
      this.#take(await withinMs(STORE_LIMIT_MS, () => store.report(reports, samples)));
    } while (this.#unsent.length > 0);
    this.#sending = false;
  }

  #take(snapshot: HealthSnapshot | undefined): void {
    const { copy, clock } = this.#options;
    // Also after a failure: a store that is out of reach is asked once in a while, not by every request.
    copy.readAt = clock.now();
    if (snapshot === undefined) return;
    copy.latencies = snapshot.latencies;
    copy.steps = this.#unsent.reduce(
      (known, report) => withStep(known, report.step, nextHealth(known[report.step], report)),
      snapshot.steps,
    );
  }
}

function withStep(
  steps: Readonly<Record<string, StepHealth>>,
  step: string,
  health: StepHealth | undefined,
): Readonly<Record<string, StepHealth>> {
  const { [step]: _, ...others } = steps;
  return health === undefined ? others : { ...others, [step]: health };
}
