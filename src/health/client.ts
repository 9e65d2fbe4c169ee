import type { Clock } from "../cascade/deadline.ts";
import type { Health, Suspension } from "../cascade/health.ts";
import type { Outcome } from "../cascade/outcome.ts";
import { withinMs } from "./within.ts";
import { type HealthReport, nextHealth, reportOf, type StepHealth, suspensionOf } from "./suspension.ts";

/** What the client needs of the provider-health object. */
export interface HealthStore {
  snapshot(): Promise<Readonly<Record<string, StepHealth>>>;
  /** Returns what is known after the reports. */
  report(reports: readonly HealthReport[]): Promise<Readonly<Record<string, StepHealth>>>;
}

/** What one isolate knows. Plain data, so requests may share it. */
export interface HealthCopy {
  /** Epoch milliseconds of the last answer of the store; 0 before the first. */
  readAt: number;
  /** A request is fetching it since then; 0 when none is. */
  readingSince: number;
  steps: Readonly<Record<string, StepHealth>>;
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

export function emptyCopy(): HealthCopy {
  return { readAt: 0, readingSince: 0, steps: {} };
}

/** Provider health as one request sees it. Nothing here throws: a store that does not answer changes nothing. */
export class HealthClient implements Health {
  readonly #options: HealthClientOptions;
  readonly #unsent: HealthReport[] = [];
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
    this.#take(await withinMs(STORE_LIMIT_MS, () => store.snapshot()));
    copy.readingSince = 0;
  }

  suspension(step: string): Suspension | undefined {
    const key = this.#options.keys.get(step);
    if (key === undefined) return undefined;
    return suspensionOf(this.#options.copy.steps[step], key, this.#options.clock.now());
  }

  report(step: string, outcome: Outcome<unknown>, ms: number): void {
    const { copy, clock, keys, waitUntil } = this.#options;
    const key = keys.get(step);
    if (key === undefined) return;
    const report = reportOf({ step, key, at: clock.now(), ms, random: this.#options.random() }, outcome);
    if (report === undefined) return;
    const before = copy.steps[step];
    // That all is still well is no news.
    if (report.failure === undefined && before === undefined) return;
    // The isolate knows at once; the others when the store has told them.
    copy.steps = withStep(copy.steps, step, nextHealth(before, report));
    this.#unsent.push(report);
    if (!this.#sending) waitUntil(this.#send());
  }

  /** Reports that come while others are on their way go together. */
  async #send(): Promise<void> {
    this.#sending = true;
    while (this.#unsent.length > 0) {
      const reports = this.#unsent.splice(0);
      this.#take(await withinMs(STORE_LIMIT_MS, () => this.#options.store.report(reports)));
    }
    this.#sending = false;
  }

  #take(steps: Readonly<Record<string, StepHealth>> | undefined): void {
    const { copy, clock } = this.#options;
    // Also after a failure: a store that is out of reach is asked once in a while, not by every request.
    copy.readAt = clock.now();
    if (steps === undefined) return;
    copy.steps = this.#unsent.reduce(
      (known, report) => withStep(known, report.step, nextHealth(known[report.step], report)),
      steps,
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
