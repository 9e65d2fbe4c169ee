import { failed, type Outcome } from "../cascade/outcome.ts";
import type { Step } from "../cascade/cascade.ts";
import type { Config } from "../config.ts";
import type { Door } from "../egress/door.ts";
import { EgressError, type EgressReason } from "../egress/egress-error.ts";
import type { FailureClass } from "../cascade/outcome.ts";
import type { Pace } from "./pace.ts";
import type { Capability, Credentials, Provider } from "./types.ts";

/** Search answers are some hundred kilobytes at most. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Budgets are counted by UTC days. */
const DAY_MS = 24 * 60 * 60 * 1_000;

const CLASS_OF: Record<EgressReason, FailureClass> = {
  refused: "blocked",
  timeout: "timeout",
  network: "transient",
  "too-large": "malformed",
  redirects: "malformed",
  "over-budget": "skipped",
};

/**
 * The steps of one provider for one query: one per configured credential set, named `id`, `id#2`, …; a single skipped
 * step where none is configured or where the provider has ended.
 */
export function stepsOf<Q, R>(
  provider: Provider,
  capability: Capability<Q, R>,
  query: Q,
  config: Config,
  door: Door,
  now: number,
  pace?: Pace,
): Step<R>[] {
  const base = {
    name: provider.id,
    provider: provider.id,
    timeLimitMs: capability.timeLimitMs,
    ...(provider.billed ? { billed: provider.billed } : {}),
  };
  if (provider.sunset !== undefined && now >= Date.parse(provider.sunset)) {
    return [skipped(base, `${provider.name} ended on ${provider.sunset}`)];
  }
  const accounts = accountsOf(provider, config);
  if (accounts.length === 0) {
    const needed = provider.credentialSets.map((set) => Object.values(set).join(" and ")).join(", or ");
    return [skipped(base, `not configured: needs ${needed}`)];
  }
  return accounts.map(({ name, credentials }) => ({
    ...base,
    name,
    run: (signal) =>
      inSlot(provider, pace, signal, () => call(provider, capability, query, credentials, door, signal, now)),
  }));
}

/** One configured credential set, and the name that its steps have: `id`, `id#2`, … */
export interface Account {
  readonly name: string;
  readonly credentials: Credentials;
}

/**
 * The credential sets of a provider that are configured, in order. A set that needs nothing stands for calls without a
 * key: it counts where no key is configured, since it would only repeat at a lower rate what a key was refused.
 */
export function accountsOf(provider: Provider, config: Config): readonly Account[] {
  const all = provider.credentialSets.flatMap((set) => resolved(set, config));
  const withKeys = all.filter((credentials) => Object.keys(credentials).length > 0);
  return (withKeys.length > 0 ? withKeys : all).map((credentials, index) => ({
    name: index === 0 ? provider.id : `${provider.id}#${index + 1}`,
    credentials,
  }));
}

function skipped<R>(base: Omit<Step<R>, "skip" | "run">, skip: string): Step<R> {
  return { ...base, skip, run: () => Promise.resolve(failed("skipped", skip)) };
}

function resolved(set: Provider["credentialSets"][number], config: Config): Credentials[] {
  const credentials: Record<string, string> = {};
  for (const [name, setting] of Object.entries(set)) {
    const value = config.providerSettings[setting];
    if (value === undefined) return [];
    credentials[name] = value;
  }
  return [credentials];
}

async function inSlot<R>(
  provider: Provider,
  pace: Pace | undefined,
  signal: AbortSignal,
  work: () => Promise<Outcome<R>>,
): Promise<Outcome<R>> {
  if (pace === undefined || provider.slots === undefined) return work();
  const release = await pace(provider.id, provider.slots, signal);
  if (release === undefined) return failed("rate", "all slots are taken");
  try {
    return await work();
  } finally {
    release();
  }
}

async function call<Q, R>(
  provider: Provider,
  capability: Capability<Q, R>,
  query: Q,
  credentials: Credentials,
  door: Door,
  signal: AbortSignal,
  now: number,
): Promise<Outcome<R>> {
  try {
    const reply = await door.send(capability.request(query, credentials), {
      timeLimitMs: capability.timeLimitMs,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
      ...(provider.operatorHost ? { toOperatorHost: true } : {}),
    });
    return capability.read(reply, query);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    // With a waiting time it counts as one that could not be asked, unlike one that nobody has configured.
    const wait = error.reason === "over-budget" ? { retryAfterMs: DAY_MS - (now % DAY_MS) } : {};
    return failed(CLASS_OF[error.reason], error.message, wait);
  }
}
