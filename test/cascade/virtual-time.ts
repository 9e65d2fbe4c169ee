import type { Clock, Deadline } from "../../src/cascade/deadline.ts";
import type { Timers } from "../../src/cascade/timers.ts";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that jumps from timer to timer, so that hours pass in no time and the same way each time. */
export class VirtualTime implements Clock, Timers {
  #now = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that are set and have not run. */
  get pending(): number {
    return this.#timers.size;
  }

  deadline(ms: number): Deadline {
    const over = new AbortController();
    const end = this.#now + ms;
    this.after(ms, () => over.abort());
    return { signal: over.signal, remainingMs: () => Math.max(0, end - this.#now) };
  }

  /** Lets time pass until `work` has ended; throws when nothing is left to wait for. */
  async until<T>(work: Promise<T>): Promise<T> {
    let over = false;
    const ended = work.finally(() => (over = true));
    ended.catch(() => {});
    for (;;) {
      await settled();
      if (over) return ended;
      const next = Math.min(...[...this.#timers].map(({ at }) => at));
      if (next === Infinity) throw new Error("it waits for something that no timer brings");
      this.#now = next;
      // What falls into one moment happens together, and what follows from it after that.
      for (const timer of [...this.#timers].filter(({ at }) => at === next)) {
        if (this.#timers.delete(timer)) timer.run();
      }
    }
  }
}

/** Whatever follows from what has happened by now. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
