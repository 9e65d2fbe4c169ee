import { DurableObject } from "cloudflare:workers";
import type { HealthSnapshot } from "../src/health/client.ts";
import { type LatencyRing, latencyOf, type LatencySample, withSamples } from "../src/health/latency.ts";
import { type SlotLease, leaseSlot } from "../src/health/slots.ts";
import {
  claimed,
  type HealthReport,
  nextHealth,
  type ProbeClaim,
  type StepHealth,
  suspensionOf,
} from "../src/health/suspension.ts";

/**
 * What all isolates know together of the providers: which step is suspended until when and who may try it then, how
 * long answers took lately, and which slots of paced providers are taken. Every method is one transaction.
 */
export class ProviderHealthObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS steps (step TEXT PRIMARY KEY, health TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS latencies (step TEXT PRIMARY KEY, ring TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY, provider TEXT NOT NULL, expires_at INTEGER NOT NULL);
    `);
  }

  snapshot(): HealthSnapshot {
    const latencies = Object.entries(this.#rings()).flatMap(([step, ring]) => {
      const latency = latencyOf(ring);
      return latency === undefined ? [] : [[step, latency] as const];
    });
    return { steps: this.#steps(), latencies: Object.fromEntries(latencies) };
  }

  /** Takes in what calls came to, in order, and how long answers took; returns what is known then. */
  report(reports: readonly HealthReport[], samples: readonly LatencySample[]): HealthSnapshot {
    for (const { step, health } of after(this.#steps(), reports)) this.#keep(step, health);
    const rings = samples.length === 0 ? {} : this.#rings();
    for (const [step, group] of Map.groupBy(samples, (sample) => sample.step)) {
      const ring = withSamples(
        rings[step] ?? [],
        group.map(({ ms }) => ms),
      );
      this.#sql.exec("INSERT OR REPLACE INTO latencies VALUES (?, ?)", step, JSON.stringify(ring));
    }
    return this.snapshot();
  }

  /**
   * The try of a step whose suspension is over goes to the first who asks; the others wait for what comes of it.
   * `granted` as well when the step turns out to be well. `health` is what is known then.
   */
  claimProbe(claim: ProbeClaim): { granted: boolean; health?: StepHealth } {
    const health = this.#steps()[claim.step];
    if (health === undefined) return { granted: true };
    const taken = claimed(health, claim);
    if (taken === undefined) return { granted: suspensionOf(health, claim.key, claim.at) === undefined, health };
    this.#keep(claim.step, taken);
    return { granted: true, health: taken };
  }

  /** The id of a lease of one of the provider's slots; none when all are taken. `now` in epoch milliseconds. */
  acquireSlot(provider: string, slots: number, now: number): { lease?: string } {
    this.#sql.exec("DELETE FROM leases WHERE expires_at <= ?", now);
    const leases = this.#sql
      .exec<{ id: string; provider: string; expiresAt: number }>(
        "SELECT id, provider, expires_at AS expiresAt FROM leases WHERE provider = ?",
        provider,
      )
      .toArray() satisfies SlotLease[];
    const lease = leaseSlot(leases, provider, slots, crypto.randomUUID(), now);
    if (lease === undefined) return {};
    this.#sql.exec("INSERT INTO leases VALUES (?, ?, ?)", lease.id, lease.provider, lease.expiresAt);
    return { lease: lease.id };
  }

  /** Gives a slot back; a lease that is unknown or over is no error. */
  releaseSlot(lease: string): void {
    this.#sql.exec("DELETE FROM leases WHERE id = ?", lease);
  }

  #steps(): Readonly<Record<string, StepHealth>> {
    const rows = this.#sql.exec<{ step: string; health: string }>("SELECT step, health FROM steps").toArray();
    return Object.fromEntries(rows.map(({ step, health }) => [step, JSON.parse(health) as StepHealth]));
  }

  #rings(): Readonly<Record<string, LatencyRing>> {
    const rows = this.#sql.exec<{ step: string; ring: string }>("SELECT step, ring FROM latencies").toArray();
    return Object.fromEntries(rows.map(({ step, ring }) => [step, JSON.parse(ring) as LatencyRing]));
  }

  #keep(step: string, health: StepHealth | undefined): void {
    if (health === undefined) this.#sql.exec("DELETE FROM steps WHERE step = ?", step);
    else this.#sql.exec("INSERT OR REPLACE INTO steps VALUES (?, ?)", step, JSON.stringify(health));
  }
}

function after(known: Readonly<Record<string, StepHealth>>, reports: readonly HealthReport[]) {
  const changed = new Map<string, StepHealth | undefined>();
  for (const report of reports) {
    const { step } = report;
    changed.set(step, nextHealth(changed.has(step) ? changed.get(step) : known[step], report));
  }
  return [...changed].map(([step, health]) => ({ step, health }));
}
