import type { Context } from "hono";
import type { RateLimiterObject } from "../durable-objects/rate-limiter.ts";
import { SluiceError } from "../src/errors.ts";
import { withinMs } from "../src/cascade/within.ts";
import type { RateLimit } from "../src/limits/gcra.ts";
import { rateLimitHeaders, retryAfter } from "../src/limits/headers.ts";
import { LEASE_MS, leaseFrom, leaseStanding, take } from "../src/limits/lease.ts";
import { rateLimitOf } from "../src/limits/limit-book.ts";
import type { AppEnv, Caller } from "./context.ts";

/** The limiter answers in milliseconds or something is wrong with it. */
const LIMITER_TIME_LIMIT_MS = 1_000;
const SILENCE_MS = 5_000;
/** That one request makes for those which end meanwhile: the platform ends what goes on behind an answer for long. */
const MOST_REPORTS = 10;

/**
 * Runs the rest of a request under the caller's limits. Throws `rate-limited`. A caller without limits costs nothing;
 * when the limiter cannot be reached, the request goes through and its log line has `limiter: "unreachable"`.
 */
export async function withinLimits(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  const { caller, clock, limitBook } = c.var;
  const rate = rateLimitOf(caller.limits);
  const daily = caller.limits.upstream_per_day;
  if (rate !== undefined) await takeOne(c, caller, rate);
  else if (daily !== undefined && !limitBook.meterOf(caller.tenant).isFresh(clock.now())) await ask(c, caller);
  try {
    await next();
  } finally {
    if (daily !== undefined) c.executionCtx.waitUntil(reportCalls(c, caller));
  }
  // Set again: an answer that a handler made by itself does not have what was set before.
  if (rate !== undefined) tell(c, caller, rate);
}

async function takeOne(c: Context<AppEnv>, caller: Caller, rate: RateLimit): Promise<void> {
  const { leases } = c.get("limitBook");
  let taken = take(leases.get(caller.key), rate, c.get("clock").now());
  if (taken.kind === "ask") {
    if (!(await ask(c, caller, { rate, wanted: taken.wanted }))) return;
    taken = take(leases.get(caller.key), rate, c.get("clock").now());
  }
  if (taken.kind === "granted") leases.set(caller.key, taken.lease);
  tell(c, caller, rate);
  if (taken.kind === "granted") return;
  const retryAfterMs = taken.kind === "refused" ? taken.retryAfterMs : 0;
  c.header("retry-after", retryAfter(retryAfterMs));
  throw new SluiceError(
    "rate-limited",
    "The key or link has used its requests for now; `Retry-After` says when one more fits.",
  );
}

/** Whether the limiter answered; what it said is in the book then. */
async function ask(
  c: Context<AppEnv>,
  caller: Caller,
  block?: { readonly rate: RateLimit; readonly wanted: number },
): Promise<boolean> {
  const { clock, limitBook } = c.var;
  if (limitBook.isSilent(caller.tenant, clock.now())) {
    c.set("limiter", "unreachable");
    return false;
  }
  const request = block && { key: caller.key, limit: block.rate, wanted: block.wanted };
  const answer = await withinMs(LIMITER_TIME_LIMIT_MS, () => limiterOf(c, caller).lease(request, clock.now()));
  const now = clock.now();
  if (answer === undefined) {
    limitBook.noteSilence(caller.tenant, now, SILENCE_MS);
    c.set("limiter", "unreachable");
    return false;
  }
  limitBook.meterOf(caller.tenant).learn(answer.usage, now, LEASE_MS);
  if (block !== undefined && answer.decision !== undefined) {
    const before = limitBook.leases.get(caller.key);
    limitBook.leases.set(caller.key, leaseFrom(answer.decision, block.wanted, before, now));
  }
  return true;
}

/**
 * One report at a time: what comes up meanwhile goes into the next one, so that a busy isolate does not write once a
 * request. Calls of an answer that still streams are reported by the tenant's next request in this isolate.
 */
async function reportCalls(c: Context<AppEnv>, caller: Caller): Promise<void> {
  const { clock, limitBook } = c.var;
  const meter = limitBook.meterOf(caller.tenant);
  for (let reports = 0; reports < MOST_REPORTS; reports++) {
    // A request that was cut off in the middle of its report holds up the others for as long as a report may take.
    if (!meter.beginReport(clock.now(), LIMITER_TIME_LIMIT_MS)) return;
    const usage = meter.collect();
    if (usage === undefined) return meter.endReport();
    const now = clock.now();
    const told = await withinMs(LIMITER_TIME_LIMIT_MS, () => limiterOf(c, caller).addCalls(usage, now));
    meter.endReport();
    if (told === undefined) return meter.restore(usage);
    meter.learn(told, now, LEASE_MS);
  }
}

function tell(c: Context<AppEnv>, caller: Caller, rate: RateLimit): void {
  const { clock, limitBook } = c.var;
  const lease = limitBook.leases.get(caller.key);
  if (lease === undefined) return;
  const headers = rateLimitHeaders(rate, leaseStanding(lease, rate, clock.now()));
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

function limiterOf(c: Context<AppEnv>, caller: Caller): DurableObjectStub<RateLimiterObject> {
  return c.env.RATE_LIMITERS.getByName(caller.tenant);
}
