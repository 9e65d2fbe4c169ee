import { toAttempt } from "./attempt.ts";
import type { Policy } from "./cascade.ts";
import { ALWAYS_WELL } from "./health.ts";
import { hedgeAfter, type Hedging, MOST_OPEN } from "./hedging.ts";
import { failed } from "./outcome.ts";
import { type CascadeContext, reasonToSkip, runStep, type Step, type StepEnd } from "./step.ts";
import { SYSTEM_TIMERS, type Timers } from "./timers.ts";

/** What each later step keeps of the deadline, so that slow first steps cannot starve the rest. */
const RESERVE_MS = 1_500;

/** How a step ended, and whether it had been started beside a slow one. */
export interface RunEnd<T> extends StepEnd<T> {
  readonly hedged: boolean;
}

/** A step under way. */
interface Open {
  readonly since: number;
  readonly hedged: boolean;
  readonly done: Promise<void>;
  /** Has been without an answer for so long that it may get company. */
  slow: boolean;
  stopTimer(): void;
}

/** One pass over the steps of a cascade; used once. */
export class Run<T> {
  readonly #steps: readonly Step<T>[];
  readonly #policy: Policy<T>;
  readonly #context: CascadeContext;
  readonly #timers: Timers;
  readonly #hedging: Hedging | undefined;
  readonly #losers = new AbortController();
  readonly #ends: (RunEnd<T> | undefined)[];
  readonly #open = new Map<number, Open>();
  /** Not started yet, in order. */
  #waiting: readonly number[];
  #openGroup = -1;
  #slowed = Promise.withResolvers<void>();

  constructor(steps: readonly Step<T>[], policy: Policy<T>, context: CascadeContext) {
    this.#steps = steps;
    this.#policy = policy;
    this.#context = context;
    this.#timers = context.timers ?? SYSTEM_TIMERS;
    this.#hedging = policy.hedge === true && steps.length > 1 ? context.hedging : undefined;
    this.#ends = steps.map(() => undefined);
    this.#waiting = [...steps.keys()];
  }

  /** Per step; undefined for one that was never its turn. */
  async ends(): Promise<readonly (RunEnd<T> | undefined)[]> {
    this.#hedging?.begin();
    await this.#context.health?.refresh?.();
    for (;;) {
      const done = this.#enough();
      if (done && this.#policy.settle !== true) break;
      if (!done) this.#startMore();
      if (this.#open.size === 0) break;
      await Promise.race([...[...this.#open.values()].map((open) => open.done), this.#slowed.promise]);
    }
    if (this.#hedging !== undefined && this.#open.size > 0) await this.#sameMoment();
    this.#endOthers();
    return this.#ends;
  }

  #enough(): boolean {
    return this.#policy.enough(this.#ends.flatMap((end) => (end?.outcome.kind === "hit" ? end.outcome.results : [])));
  }

  #startMore(): void {
    for (let index = this.#next(); index !== undefined; index = this.#next()) {
      const step = this.#steps[index]!;
      const skip = reasonToSkip(step, this.#context);
      const hedged = this.#open.size > 0 && this.#hedging !== undefined;
      if (skip === undefined && hedged && step.billed === true && !this.#hedging!.spend()) return;
      this.#waiting = this.#waiting.filter((each) => each !== index);
      if (skip === undefined) this.#start(index, hedged);
      else this.#close(index, { outcome: skip, ms: 0, hedged: false });
    }
  }

  /** The step that may start now. */
  #next(): number | undefined {
    const [next] = this.#waiting;
    if (next === undefined || this.#open.size === 0) return next;
    if (this.#hedging !== undefined) return this.#company();
    return this.#open.size < this.#policy.concurrency && this.#group(next) === this.#openGroup ? next : undefined;
  }

  /** The step to start beside those under way, once they are all slow: the next one of another provider. */
  #company(): number | undefined {
    const open = [...this.#open];
    if (open.length >= MOST_OPEN || !open.every(([, { slow }]) => slow)) return undefined;
    const busy = new Set(open.map(([index]) => this.#provider(index)));
    return this.#waiting.find((index) => !busy.has(this.#provider(index)));
  }

  #start(index: number, hedged: boolean): void {
    const step = this.#steps[index]!;
    this.#openGroup = this.#group(index);
    const laterGroups = this.#waiting.flatMap((later) =>
      this.#group(later) > this.#openGroup && reasonToSkip(this.#steps[later]!, this.#context) === undefined
        ? [this.#group(later)]
        : [],
    );
    // Those of one group wait for nobody, so time is kept back for other groups only.
    const reserve = new Set(laterGroups).size * RESERVE_MS;
    const run = async () => {
      const end = await runStep(step, reserve, this.#losers.signal, this.#context);
      if (this.#losers.signal.aborted) return;
      this.#open.get(index)?.stopTimer();
      this.#open.delete(index);
      this.#close(index, { ...end, hedged });
    };
    const open: Open = {
      since: this.#context.clock.now(),
      hedged,
      done: run(),
      slow: false,
      stopTimer: () => {},
    };
    this.#open.set(index, open);
    if (this.#hedging === undefined) return;
    const wait = hedgeAfter(step.name, this.#hedging, this.#context.health ?? ALWAYS_WELL);
    open.stopTimer = this.#timers.after(wait, () => {
      open.slow = true;
      this.#slowed.resolve();
      this.#slowed = Promise.withResolvers();
    });
  }

  /** A better-placed hit that has arrived but has not been taken in yet is not thrown away. */
  #sameMoment(): Promise<void> {
    return new Promise((resolve) => this.#timers.after(0, resolve));
  }

  #endOthers(): void {
    this.#endOpen();
    if (this.#policy.settle !== true) return;
    for (const index of this.#waiting) {
      const outcome = failed("skipped", "not needed: what others gave was enough");
      this.#close(index, { outcome, ms: 0, hedged: false });
    }
  }

  #endOpen(): void {
    if (this.#open.size === 0) return;
    const winner = this.#steps.find((_, index) => this.#ends[index]?.outcome.kind === "hit")?.name;
    this.#losers.abort(new DOMException("another step was enough", "AbortError"));
    const why = this.#hedging === undefined ? "what others gave was enough" : `${winner} answered first`;
    for (const [index, { since, hedged, stopTimer }] of this.#open) {
      stopTimer();
      const ms = this.#context.clock.now() - since;
      this.#close(index, { outcome: failed("skipped", `ended: ${why}`), ms, hedged });
    }
  }

  #close(index: number, end: RunEnd<T>): void {
    this.#ends[index] = end;
    this.#context.onAttempt?.(toAttempt(this.#steps[index]!.name, end.outcome, end.ms, false, end.hedged));
  }

  #group(index: number): number {
    return this.#policy.group?.(index) ?? (this.#policy.concurrency === 1 ? index : 0);
  }

  #provider(index: number): string {
    const step = this.#steps[index]!;
    return step.provider ?? step.name;
  }
}
