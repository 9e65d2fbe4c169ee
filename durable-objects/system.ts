import type { Clock } from "../src/cascade/deadline.ts";

/** What the platform gives a class that nobody can pass arguments to; `src/worker.ts` fills it in. */
export interface System {
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
}
