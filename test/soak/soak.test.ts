import { beforeAll, describe, expect, it } from "vitest";
import { buildWorker } from "../../local/boot.ts";
import { soak } from "./soak.ts";

/** Its lives have some of everything within the first seconds, and four kills. */
const SEED = 40;
const MINUTES = 40 / 60;

beforeAll(() => buildWorker(), 120_000);

describe(`a Worker that is used in every way while it is killed and its upstreams fail (seed ${SEED})`, () => {
  it("keeps every promise", { timeout: 12 * 60_000 }, async () => {
    const { ledger, faults } = await soak({ seed: SEED, minutes: MINUTES, tell: () => {} });
    expect(ledger.violations).toEqual([]);
    // So that it cannot pass by doing nothing.
    expect(ledger.of("kills")).toBeGreaterThan(0);
    expect(ledger.of("stops")).toBeGreaterThan(0);
    expect(ledger.of("requests")).toBeGreaterThan(200);
    const done = ["rows Sourced", "images chosen", "hooks", "fuzzed", "bodies given up", "addresses inside"];
    expect(done.filter((what) => ledger.of(what) === 0)).toEqual([]);
    expect(faults).toBeGreaterThan(10);
  });
});
