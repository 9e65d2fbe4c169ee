import { failed, type Outcome } from "../cascade/outcome.ts";
import type { Step } from "../cascade/cascade.ts";
import type { Config } from "../config.ts";
import type { Door } from "../egress/door.ts";
import { EgressError, type EgressReason } from "../egress/egress-error.ts";
import type { FailureClass } from "../cascade/outcome.ts";
import type { Capability, Credentials, Provider } from "./types.ts";

/** Search answers are some hundred kilobytes at most. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const CLASS_OF: Record<EgressReason, FailureClass> = {
  refused: "blocked",
  timeout: "timeout",
  network: "transient",
  "too-large": "malformed",
  redirects: "malformed",
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
): Step<R>[] {
  const base = { name: provider.id, timeLimitMs: capability.timeLimitMs };
  if (provider.sunset !== undefined && now >= Date.parse(provider.sunset)) {
    return [skipped(base, `${provider.name} ended on ${provider.sunset}`)];
  }
  const sets = provider.credentialSets.flatMap((set) => resolved(set, config));
  if (sets.length === 0) {
    const needed = provider.credentialSets.map((set) => Object.values(set).join(" and ")).join(", or ");
    return [skipped(base, `not configured: needs ${needed}`)];
  }
  return sets.map((credentials, index) => ({
    ...base,
    name: index === 0 ? provider.id : `${provider.id}#${index + 1}`,
    run: (signal) => call(provider, capability, query, credentials, door, signal),
  }));
}

function skipped<R>(base: { name: string; timeLimitMs: number }, skip: string): Step<R> {
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

async function call<Q, R>(
  provider: Provider,
  capability: Capability<Q, R>,
  query: Q,
  credentials: Credentials,
  door: Door,
  signal: AbortSignal,
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
    if (error instanceof EgressError) return failed(CLASS_OF[error.reason], error.message);
    throw error;
  }
}
