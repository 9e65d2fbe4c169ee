import { describe, expect, it } from "vitest";
import { failed } from "../../src/cascade/outcome.ts";
import { emptyCopy, HealthClient, type HealthSnapshot, type HealthStore } from "../../src/health/client.ts";
import { latencyOf, type LatencySample } from "../../src/health/latency.ts";
import {
  claimed,
  type HealthReport,
  nextHealth,
  type ProbeClaim,
  type StepHealth,
  suspensionOf,
} from "../../src/health/suspension.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const BLOCKED = failed("blocked", "Serper shows a captcha", { status: 403 });
const HIT = { kind: "hit", results: [1] } as const;

/** A store in memory, and whatever calls it got. */
class MemoryStore implements HealthStore {
  readonly calls: string[] = [];
  steps: Record<string, StepHealth> = {};

  readonly samples: LatencySample[] = [];

  snapshot() {
    this.calls.push("snapshot");
    return Promise.resolve(this.#known());
  }

  report(reports: readonly HealthReport[], samples: readonly LatencySample[]) {
    this.calls.push(["report", ...reports.map(({ step }) => step), ...samples.map(() => "sample")].join(" "));
    this.samples.push(...samples);
    for (const report of reports) this.#keep(report.step, nextHealth(this.steps[report.step], report));
    return Promise.resolve(this.#known());
  }

  claimProbe(claim: ProbeClaim) {
    this.calls.push(`claim ${claim.step}`);
    const health = this.steps[claim.step];
    if (health === undefined) return Promise.resolve({ granted: true });
    const taken = claimed(health, claim);
    if (taken !== undefined) this.steps[claim.step] = taken;
    const granted = taken !== undefined || suspensionOf(health, claim.key, claim.at) === undefined;
    return Promise.resolve({ granted, health: taken ?? health });
  }

  #known(): HealthSnapshot {
    const latency = latencyOf(this.samples.map(({ ms }) => ms));
    const latencies: HealthSnapshot["latencies"] = latency === undefined ? {} : { brave: latency };
    return { steps: { ...this.steps }, latencies };
  }

  #keep(step: string, health: StepHealth | undefined) {
    if (health === undefined) delete this.steps[step];
    else this.steps[step] = health;
  }
}

const outOfReach = () => Promise.reject(new Error("the object is out of reach"));
const unreachable: HealthStore = { snapshot: outOfReach, report: outOfReach, claimProbe: outOfReach };

/** One isolate: its copy, and the clients of its requests. */
function isolate(store: HealthStore, clock: { at: number }) {
  const copy = emptyCopy();
  const behind: Promise<unknown>[] = [];
  const request = () =>
    new HealthClient({
      store,
      copy,
      keys: new Map([
        ["serper", "aaaaaaaa"],
        ["brave", "bbbbbbbb"],
        ["google-cse", "cccccccc"],
        ["google-cse#2", "dddddddd"],
      ]),
      clock: { now: () => clock.at },
      random: () => 0,
      waitUntil: (work) => void behind.push(work),
    });
  return { request, settled: () => Promise.all(behind) };
}

describe("provider health in an isolate", () => {
  it("learns in its first request what others have reported", async () => {
    const store = new MemoryStore();
    const clock = { at: START };
    const one = isolate(store, clock);
    one.request().report("serper", BLOCKED, 100);
    await one.settled();
    const other = isolate(store, clock).request();
    await other.refresh();
    expect(other.suspension("serper")?.reason).toContain("Serper shows a captcha");
    expect(other.suspension("brave")).toBeUndefined();
  });

  it("asks the store once for all requests of a second, and then behind the request", async () => {
    const store = new MemoryStore();
    const clock = { at: START };
    const { request, settled } = isolate(store, clock);
    await request().refresh();
    clock.at += 900;
    await request().refresh();
    expect(store.calls).toEqual(["snapshot"]);
    clock.at += 200;
    await request().refresh();
    await settled();
    expect(store.calls).toEqual(["snapshot", "snapshot"]);
  });

  it("tells a failure once, knows it at once, and says nothing of calls that go well", async () => {
    const store = new MemoryStore();
    const { request, settled } = isolate(store, { at: START });
    const client = request();
    client.report("brave", HIT, 100);
    client.report("serper", BLOCKED, 100);
    expect(client.suspension("serper")).toBeDefined();
    await settled();
    expect(store.calls).toEqual(["report serper"]);
  });

  it("tells a success that ends a row of failures", async () => {
    const store = new MemoryStore();
    const clock = { at: START };
    const { request, settled } = isolate(store, clock);
    request().report("serper", BLOCKED, 100);
    clock.at += 3_600_000;
    request().report("serper", HIT, 100);
    await settled();
    expect(store.steps).toEqual({});
  });

  it("sends reports that come while others are on their way together", async () => {
    const store = new MemoryStore();
    const { request, settled } = isolate(store, { at: START });
    const client = request();
    client.report("serper", BLOCKED, 100);
    client.report("brave", BLOCKED, 100);
    client.report("brave", BLOCKED, 100);
    await settled();
    expect(store.calls).toEqual(["report serper", "report brave brave"]);
  });

  it("finds everybody well, and throws nothing, when the store cannot be reached", async () => {
    const { request, settled } = isolate(unreachable, { at: START });
    const client = request();
    await client.refresh();
    expect(client.suspension("serper")).toBeUndefined();
    client.report("serper", HIT, 100);
    client.report("serper", BLOCKED, 100);
    await expect(settled()).resolves.toBeDefined();
  });

  it("waits no longer than half a second for a store that hangs", async () => {
    const hang = () => new Promise<never>(() => {});
    const hanging: HealthStore = { snapshot: hang, report: hang, claimProbe: hang };
    const client = isolate(hanging, { at: START }).request();
    await client.refresh();
    expect(client.suspension("serper")).toBeUndefined();
  }, 2_000);
});

describe("the try after a suspension", () => {
  const HOUR = 3_600_000;

  /** Two isolates that know of Serper's suspension, after it is over. */
  async function afterSuspension() {
    const store = new MemoryStore();
    const clock = { at: START };
    const [one, other] = [isolate(store, clock), isolate(store, clock)];
    one.request().report("serper", BLOCKED, 100);
    await one.settled();
    clock.at += HOUR;
    await one.request().read();
    await other.request().read();
    store.calls.length = 0;
    return { store, clock, one, other };
  }

  it("is one request's of all isolates; the others are told how long to stay away", async () => {
    const { store, clock, one, other } = await afterSuspension();
    expect(await one.request().claim("serper", 8_000)).toBeUndefined();
    const [second, third] = [other.request(), one.request()];
    expect(second.suspension("serper")).toBeUndefined();
    expect(await second.claim("serper", 8_000)).toMatchObject({ until: clock.at + 8_000 });
    // Both isolates know now, and ask no more.
    for (const request of [other.request(), third]) {
      expect(request.suspension("serper")?.reason).toContain("another request is trying it");
    }
    expect(store.calls).toEqual(["claim serper", "claim serper"]);
  });

  it("lifts the suspension for all when it goes well", async () => {
    const { store, one, other } = await afterSuspension();
    const probe = one.request();
    await probe.claim("serper", 8_000);
    probe.report("serper", HIT, 100);
    await one.settled();
    expect(store.steps).toEqual({});
    await other.request().read();
    expect(other.request().claim("serper", 8_000)).toBeUndefined();
  });

  it("suspends for longer when it fails", async () => {
    const { store, clock, one } = await afterSuspension();
    const before = store.steps.serper!.until - START;
    const probe = one.request();
    await probe.claim("serper", 8_000);
    probe.report("serper", BLOCKED, 100);
    await one.settled();
    expect(store.steps.serper!.until - clock.at).toBe(2 * before);
  });

  it.each<[string, (request: HealthClient) => void]>([
    ["lost to another provider", (request) => request.release("serper")],
    ["says nothing of the provider", (request) => request.report("serper", failed("bad-request", "x"), 10)],
  ])("is free again when the call %s", async (_, end) => {
    const { one, other } = await afterSuspension();
    const probe = one.request();
    await probe.claim("serper", 8_000);
    end(probe);
    await one.settled();
    expect(await other.request().claim("serper", 8_000)).toBeUndefined();
    expect(await one.request().claim("serper", 8_000)).toBeDefined();
  });

  it("is free again when whoever had it never told", async () => {
    const { clock, one, other } = await afterSuspension();
    await one.request().claim("serper", 8_000);
    clock.at += 8_000;
    expect(await other.request().claim("serper", 8_000)).toBeUndefined();
  });

  it("cannot be given back by a request that does not have it", async () => {
    const { store, one, other } = await afterSuspension();
    await one.request().claim("serper", 8_000);
    other.request().release("serper");
    await other.settled();
    expect(store.calls).toEqual(["claim serper"]);
  });

  it("is anybody's when the store cannot be reached, and nobody's business while all is well", async () => {
    const clock = { at: START };
    const { request } = isolate(unreachable, clock);
    expect(request().claim("serper", 8_000)).toBeUndefined();
    request().report("serper", BLOCKED, 100);
    clock.at += HOUR;
    expect(await request().claim("serper", 8_000)).toBeUndefined();
  });
});

describe("the keys of one provider", () => {
  it("are suspended together by what is wrong with the provider, and one by one by what is wrong with them", () => {
    const { request } = isolate(new MemoryStore(), { at: START });
    const client = request();
    for (let times = 0; times < 3; times++) client.report("google-cse", failed("transient", "broken"), 100);
    expect(client.suspension("google-cse#2")?.reason).toContain("(transient): broken");
    expect(client.suspension("brave")).toBeUndefined();
    const other = isolate(new MemoryStore(), { at: START }).request();
    other.report("google-cse", failed("quota", "used up", { status: 429 }), 100);
    expect(other.suspension("google-cse")).toBeDefined();
    expect(other.suspension("google-cse#2")).toBeUndefined();
  });
});

describe("how long answers took", () => {
  it("is told with the next call to the store, and never by one of its own within a second", async () => {
    const store = new MemoryStore();
    const clock = { at: START };
    const { request, settled } = isolate(store, clock);
    await request().refresh();
    for (const ms of [300, 100, 200]) request().noteLatency("brave", ms);
    expect(store.calls).toEqual(["snapshot"]);
    clock.at += 1_200;
    await request().refresh();
    await settled();
    expect(store.calls).toEqual(["snapshot", "report sample sample sample"]);
    expect(request().latency("brave")).toEqual({ p50: 200, p95: 300, samples: 3 });
  });

  it("goes along with a failure that has to be told at once", async () => {
    const store = new MemoryStore();
    const { request, settled } = isolate(store, { at: START });
    await request().refresh();
    request().noteLatency("google-cse#2", 250);
    request().report("serper", BLOCKED, 100);
    await settled();
    expect(store.calls).toEqual(["snapshot", "report serper sample"]);
    expect(store.samples).toEqual([{ step: "google-cse", ms: 250 }]);
  });

  it("is told behind a request that took longer than a second", async () => {
    const store = new MemoryStore();
    const clock = { at: START };
    const { request, settled } = isolate(store, clock);
    const client = request();
    await client.refresh();
    clock.at += 3_000;
    client.noteLatency("brave", 3_000);
    await settled();
    expect(store.calls).toEqual(["snapshot", "report sample"]);
  });
});
