import { describe, expect, it } from "vitest";
import { failed } from "../../src/cascade/outcome.ts";
import { emptyCopy, HealthClient, type HealthStore } from "../../src/health/client.ts";
import { type HealthReport, nextHealth, type StepHealth } from "../../src/health/suspension.ts";

const START = Date.parse("2026-11-20T08:00:00Z");
const BLOCKED = failed("blocked", "Serper shows a captcha", { status: 403 });
const HIT = { kind: "hit", results: [1] } as const;

/** A store in memory, and whatever calls it got. */
class MemoryStore implements HealthStore {
  readonly calls: string[] = [];
  steps: Record<string, StepHealth> = {};

  snapshot() {
    this.calls.push("snapshot");
    return Promise.resolve({ ...this.steps });
  }

  report(reports: readonly HealthReport[]) {
    this.calls.push(`report ${reports.map(({ step }) => step).join(" ")}`);
    for (const report of reports) {
      const health = nextHealth(this.steps[report.step], report);
      if (health === undefined) delete this.steps[report.step];
      else this.steps[report.step] = health;
    }
    return Promise.resolve({ ...this.steps });
  }
}

const unreachable: HealthStore = {
  snapshot: () => Promise.reject(new Error("the object is out of reach")),
  report: () => Promise.reject(new Error("the object is out of reach")),
};

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
    const hanging: HealthStore = { snapshot: () => new Promise(() => {}), report: () => new Promise(() => {}) };
    const client = isolate(hanging, { at: START }).request();
    await client.refresh();
    expect(client.suspension("serper")).toBeUndefined();
  }, 2_000);
});
