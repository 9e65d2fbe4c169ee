import type { RequestCache } from "./cache/request-cache.ts";
import type { Attempt } from "./cascade/attempt.ts";
import type { Clock, Deadline } from "./cascade/deadline.ts";
import type { Health } from "./cascade/health.ts";
import type { Hedging } from "./cascade/hedging.ts";
import type { Config } from "./config.ts";
import type { Door } from "./egress/door.ts";
import type { Pace } from "./providers/pace.ts";

/** What a job needs to do one request's work. */
export interface JobContext {
  readonly config: Config;
  readonly door: Door;
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly health: Health;
  readonly pace?: Pace;
  /** Missing: nobody is asked before the one before has ended. */
  readonly hedging?: Hedging;
  /** Missing where nothing is kept: every search asks its providers then. */
  readonly cache?: RequestCache;
  /** Told each attempt as it ends, for a caller who watches. */
  onAttempt?(attempt: Attempt): void;
}
