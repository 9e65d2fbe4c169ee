import type { Clock } from "../cascade/deadline.ts";
import type { Health } from "../cascade/health.ts";
import type { Hedging } from "../cascade/hedging.ts";
import type { Config } from "../config.ts";
import { accountsOf } from "../providers/call.ts";
import type { Pace } from "../providers/pace.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { emptyCopy, HealthClient, type HealthCopy, type HealthStore } from "./client.ts";
import { fingerprint } from "./fingerprint.ts";
import { HedgeBook } from "./hedge-book.ts";
import { paceWith, type SlotStore } from "./pace.ts";
import { requestHedging } from "./request-hedging.ts";

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
  /** Missing where it is switched off. */
  readonly hedging?: Hedging;
}

/** What this isolate last read, and of which object. Data only: clients belong to one request each. */
let held: { readonly name: string; readonly copy: HealthCopy; readonly hedges: HedgeBook } | undefined;

/**
 * Provider health, pacing and hedging for one request. `now` asks the object; otherwise a copy of about a second is good
 * enough. An object that cannot be reached makes everybody well.
 */
export async function requestHealth(
  namespace: HealthNamespace,
  settings: HealthSettings,
  wanted: "recent" | "now" = "recent",
): Promise<RequestHealth> {
  const name = objectName(settings.config);
  if (held?.name !== name) held = { name, copy: emptyCopy(), hedges: new HedgeBook() };
  const store = namespace.getByName(name);
  const { config, clock, random, waitUntil } = settings;
  // Another request may hold another object by the time the fingerprints are there.
  const { copy, hedges } = held;
  const keys = await keysOf(config);
  const client = new HealthClient({ store, copy, keys, clock, random, waitUntil });
  // Otherwise the engine asks, when it is about to call somebody: a kept answer needs no health.
  if (wanted === "now") await client.read();
  return {
    health: client,
    pace: paceWith({ store, clock, random, waitUntil }),
    ...(config.hedging === "off" ? {} : { hedging: requestHedging(hedges, clock, config.hedging.afterMs) }),
  };
}

/** What is learned behind a proxy (a simulator, a recording) says nothing of the providers themselves. */
function objectName(config: Config): string {
  return config.egress.proxy === undefined ? "all" : `all behind ${config.egress.proxy}`;
}

/** By configuration: digests of all keys are too much work for every request. */
const fingerprints = new WeakMap<Config, ReadonlyMap<string, string>>();

async function keysOf(config: Config): Promise<ReadonlyMap<string, string>> {
  const known = fingerprints.get(config) ?? (await fingerprintsOf(config));
  fingerprints.set(config, known);
  return known;
}

/** Fingerprints by step: those of accounts, and of their engines, which can break one by one. */
async function fingerprintsOf(config: Config): Promise<ReadonlyMap<string, string>> {
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
