import type { Clock } from "../src/cascade/deadline.ts";
import type { Config } from "../src/config.ts";
import { Door } from "../src/egress/door.ts";
import { withinMs } from "../src/cascade/within.ts";
import { dailyBudgetOf } from "../src/limits/limit-book.ts";
import { MeteredDoor } from "../src/limits/metered-door.ts";
import { UpstreamMeter } from "../src/limits/upstream-meter.ts";

const LIMITER_TIME_LIMIT_MS = 1_000;

/**
 * Does a row's work with a door that keeps its tenant's daily budget of provider calls. Rows outlive the request that
 * sent them, so each asks for itself and reports when it ends. Without an answer only the row's own calls count.
 */
export async function withinBudget<T>(
  env: Pick<Env, "RATE_LIMITERS">,
  config: Config,
  tenant: string,
  clock: Clock,
  work: (door: Door) => Promise<T>,
): Promise<T> {
  const daily = dailyBudgetOf(config.apiKeys, tenant);
  if (daily === undefined) return work(new Door(config.egress, clock));
  const limiter = env.RATE_LIMITERS.getByName(tenant);
  const meter = new UpstreamMeter();
  const answer = await withinMs(LIMITER_TIME_LIMIT_MS, () => limiter.lease(undefined, clock.now()));
  if (answer !== undefined) meter.learn(answer.usage, clock.now(), 0);
  try {
    return await work(new MeteredDoor(config.egress, clock, () => meter.spend(daily, clock.now())));
  } finally {
    const usage = meter.collect();
    if (usage !== undefined) await withinMs(LIMITER_TIME_LIMIT_MS, () => limiter.addCalls(usage, clock.now()));
  }
}
