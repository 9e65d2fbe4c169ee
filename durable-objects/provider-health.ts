import { DurableObject } from "cloudflare:workers";
import { type SlotLease, leaseSlot } from "../src/health/slots.ts";
import { type HealthReport, nextHealth, type StepHealth } from "../src/health/suspension.ts";

/** By step name. */
export type HealthSnapshot = Readonly<Record<string, StepHealth>>;

/**
 * What all isolates know together of the providers: which step is suspended until when, and which slots of paced
 * providers are taken. Every method is one transaction.
 */
export class ProviderHealthObject extends DurableObject<Env> {
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#sql = state.storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS steps (step TEXT PRIMARY KEY, health TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS leases (id TEXT PRIMARY KEY, provider TEXT NOT NULL, expires_at INTEGER NOT NULL);
    `);
  }

  snapshot(): HealthSnapshot {
    const rows = this.#sql.exec<{ step: string; health: string }>("SELECT step, health FROM steps").toArray();
    return Object.fromEntries(rows.map(({ step, health }) => [step, JSON.parse(health) as StepHealth]));
  }

  /** Takes in what calls came to, in order; returns what is known then. */
  report(reports: readonly HealthReport[]): HealthSnapshot {
    const known = this.snapshot();
    for (const { step, health } of after(known, reports)) {
      if (health === undefined) this.#sql.exec("DELETE FROM steps WHERE step = ?", step);
      else this.#sql.exec("INSERT OR REPLACE INTO steps VALUES (?, ?)", step, JSON.stringify(health));
    }
    return this.snapshot();
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
}

function after(known: HealthSnapshot, reports: readonly HealthReport[]) {
  const changed = new Map<string, StepHealth | undefined>();
  for (const report of reports) {
    const { step } = report;
    changed.set(step, nextHealth(changed.has(step) ? changed.get(step) : known[step], report));
  }
  return [...changed].map(([step, health]) => ({ step, health }));
}
