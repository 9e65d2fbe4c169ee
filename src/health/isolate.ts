import type { Clock } from "../cascade/deadline.ts";
import type { Health } from "../cascade/health.ts";
import type { Config } from "../config.ts";
import { accountsOf } from "../providers/call.ts";
import type { Pace } from "../providers/pace.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { emptyCopy, HealthClient, type HealthCopy, type HealthStore } from "./client.ts";
import { fingerprint } from "./fingerprint.ts";
import { paceWith, type SlotStore } from "./pace.ts";

/** The object behind `PROVIDER_HEALTH`, as far as this file knows it. */
export interface HealthNamespace {
  getByName(name: string): HealthStore & SlotStore;
}

export interface HealthSettings {
  readonly config: Config;
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  waitUntil(work: Promise<unknown>): void;
}

export interface RequestHealth {
  readonly health: Health;
  readonly pace: Pace;
}

/** What this isolate last read, and of which object. Data only: clients belong to one request each. */
let held: { readonly name: string; readonly copy: HealthCopy } | undefined;

/**
 * Provider health and pacing for one request. `now` asks the object; otherwise a copy of about a second is good
 * enough. An object that cannot be reached makes everybody well.
 */
export async function requestHealth(
  namespace: HealthNamespace,
  settings: HealthSettings,
  wanted: "recent" | "now" = "recent",
): Promise<RequestHealth> {
  const name = objectName(settings.config);
  if (held?.name !== name) held = { name, copy: emptyCopy() };
  const store = namespace.getByName(name);
  const { clock, random, waitUntil } = settings;
  const keys = await keysOf(settings.config);
  const client = new HealthClient({ store, copy: held.copy, keys, clock, random, waitUntil });
  await (wanted === "now" ? client.read() : client.refresh());
  return { health: client, pace: paceWith({ store, clock, random, waitUntil }) };
}

/** What is learned behind a proxy (a simulator, a recording) says nothing of the providers themselves. */
function objectName(config: Config): string {
  return config.egress.proxy === undefined ? "all" : `all behind ${config.egress.proxy}`;
}

/** Fingerprints by step: those of accounts, and of their engines, which can break one by one. */
async function keysOf(config: Config): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  for (const provider of PROVIDERS) {
    const engines = [provider.webEngines, provider.imageEngines, provider.reverseEngines].flatMap((each) =>
      Object.keys(each ?? {}),
    );
    for (const { name, credentials } of accountsOf(provider, config)) {
      const key = await fingerprint(credentials);
      for (const step of [name, ...engines.map((engine) => `${name}:${engine}`)]) keys.set(step, key);
    }
  }
  return keys;
}
