/** Waiting, beside the clock that measures it: a test that turns its own clock brings timers of the same clock. */
export interface Timers {
  /** Calls `run` once, `ms` from now; the result stops it. */
  after(ms: number, run: () => void): () => void;
}

export const SYSTEM_TIMERS: Timers = {
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
