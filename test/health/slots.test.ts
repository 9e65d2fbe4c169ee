import { describe, expect, it } from "vitest";
import { LEASE_MS, leaseSlot, type SlotLease, slotRetryMs } from "../../src/health/slots.ts";

const NOW = Date.parse("2026-11-20T08:00:00Z");

function taken(provider: string, count: number): SlotLease[] {
  const leases: SlotLease[] = [];
  for (let index = 0; index < count; index++) {
    leases.push(leaseSlot(leases, provider, 3, `${provider}-${index}`, NOW)!);
  }
  return leases;
}

describe("slots", () => {
  it("are given while there are any, and no further", () => {
    expect(taken("wikimedia", 3).map(({ id }) => id)).toEqual(["wikimedia-0", "wikimedia-1", "wikimedia-2"]);
    expect(leaseSlot(taken("wikimedia", 3), "wikimedia", 3, "late", NOW)).toBeUndefined();
  });

  it("are counted for each provider", () => {
    expect(leaseSlot(taken("wikimedia", 3), "openverse", 2, "other", NOW)).toMatchObject({ provider: "openverse" });
  });

  it("come back when whoever held them never gave them back", () => {
    const leases = taken("wikimedia", 3);
    expect(leaseSlot(leases, "wikimedia", 3, "late", NOW + LEASE_MS - 1)).toBeUndefined();
    expect(leaseSlot(leases, "wikimedia", 3, "late", NOW + LEASE_MS)).toMatchObject({ id: "late" });
  });

  it("are asked for at growing intervals, never longer than a quarter of a second", () => {
    const waits = [0, 1, 2, 3, 10].map((tries) => slotRetryMs(tries, 0.5));
    expect(waits).toEqual(waits.toSorted((one, other) => one - other));
    expect(slotRetryMs(50, 0.999)).toBeLessThanOrEqual(250);
  });
});
