import type { Context } from "hono";
import type { Clock } from "../src/cascade/deadline.ts";
import { deadlineIn } from "../src/cascade/deadline.ts";
import type { Lookup } from "../src/cache/cache-status.ts";
import { wishOf } from "../src/cache/cache-status.ts";
import { requestCache } from "../src/cache/isolate.ts";
import type { Attempt } from "../src/cascade/attempt.ts";
import type { ApiKey, Config, Scope } from "../src/config.ts";
import type { JobContext } from "../src/context.ts";
import { Door } from "../src/egress/door.ts";
import { type RequestHealth, requestHealth } from "../src/health/isolate.ts";
import type { LimitBook } from "../src/limits/limit-book.ts";
import { MeteredDoor } from "../src/limits/metered-door.ts";

/** Who is calling. */
export interface Caller {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  /** Digest of the key; empty for the local tenant, which has none. */
  readonly key: string;
  readonly limits: ApiKey["limits"];
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    clock: Clock;
    config: Config;
    requestId: string;
    caller: Caller;
    limitBook: LimitBook;
    /** Set when the caller's limits could not be asked for. */
    limiter?: "unreachable";
    /** Filled by whoever ran a cascade; read by the log line and `Server-Timing`. */
    attempts: readonly Attempt[];
    /** What the cache did, one search after another; `Cache-Status` is made of it. */
    lookups: Lookup[];
  };
}

/** What a job gets for this request, with its time limit in milliseconds; `signal` ends it earlier. */
export async function jobContext(
  c: Context<AppEnv>,
  timeLimitMs: number,
  signal: AbortSignal = c.req.raw.signal,
): Promise<JobContext> {
  const { config, clock, caller, limitBook } = c.var;
  const daily = caller.limits.upstream_per_day;
  const meter = limitBook.meterOf(caller.tenant);
  const door =
    daily === undefined
      ? new Door(config.egress, clock)
      : new MeteredDoor(config.egress, clock, () => meter.spend(daily, clock.now()));
  return {
    config,
    door,
    clock,
    deadline: deadlineIn(timeLimitMs, clock, signal),
    ...(await healthOf(c)),
    ...(config.cache ? { cache: cacheOf(c) } : {}),
  };
}

function cacheOf(c: Context<AppEnv>) {
  const { config, clock, caller, lookups } = c.var;
  return requestCache({
    config,
    clock,
    tenant: caller.tenant,
    bucket: c.env.BUCKET,
    wish: wishOf(c.req.header("cache-control")),
    note: (lookup) => void lookups.push(lookup),
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  });
}

/** Provider health as this request sees it: from a copy of about a second, or asked for `now`. */
export function healthOf(c: Context<AppEnv>, wanted: "recent" | "now" = "recent"): Promise<RequestHealth> {
  const { config, clock } = c.var;
  const waitUntil = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  return requestHealth(c.env.PROVIDER_HEALTH, { config, clock, random, waitUntil }, wanted);
}

/** In [0, 1). */
function random(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
