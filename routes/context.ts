import type { Context } from "hono";
import type { Clock } from "../src/cascade/deadline.ts";
import { deadlineIn } from "../src/cascade/deadline.ts";
import type { Attempt } from "../src/cascade/attempt.ts";
import { ALWAYS_WELL } from "../src/cascade/health.ts";
import type { Config, Scope } from "../src/config.ts";
import type { JobContext } from "../src/context.ts";
import { Door } from "../src/egress/door.ts";

/** Who is calling. */
export interface Caller {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    clock: Clock;
    config: Config;
    requestId: string;
    caller: Caller;
    /** Filled by whoever ran a cascade; read by the log line and `Server-Timing`. */
    attempts: readonly Attempt[];
  };
}

/** What a job gets for this request, with its time limit in milliseconds. */
export function jobContext(c: Context<AppEnv>, timeLimitMs: number): JobContext {
  const { config, clock } = c.var;
  const searxng = config.providerSettings.SEARXNG_URL;
  const door = new Door(
    { ...config.egress, ...(searxng === undefined ? {} : { operatorHost: new URL(searxng).host }) },
    clock,
  );
  return { config, door, clock, deadline: deadlineIn(timeLimitMs, clock, c.req.raw.signal), health: ALWAYS_WELL };
}
