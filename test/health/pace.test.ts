import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { Door } from "../../src/egress/door.ts";
import { paceWith, type SlotStore } from "../../src/health/pace.ts";
import { stepsOf } from "../../src/providers/call.ts";
import type { Pace } from "../../src/providers/pace.ts";
import { brave } from "../../src/providers/brave.ts";
import { wikimedia } from "../../src/providers/wikimedia.ts";

/** Slots that come free at a time of the test's choosing. */
class CountedSlots implements SlotStore {
  taken = 0;
  asked = 0;

  acquireSlot(_provider: string, slots: number) {
    this.asked++;
    if (this.taken >= slots) return Promise.resolve({});
    this.taken++;
    return Promise.resolve({ lease: `lease-${this.asked}` });
  }

  releaseSlot() {
    this.taken--;
    return Promise.resolve();
  }
}

function paceOf(store: SlotStore): Pace {
  return paceWith({ store, clock: { now: () => performance.now() }, random: () => 0.5, waitUntil: () => {} });
}

const signal = new AbortController().signal;
const never: Pace = () => Promise.reject(new Error("asked for a slot"));

describe("pacing", () => {
  it("lets the next call through when a slot comes free", async () => {
    const pace = paceOf(new CountedSlots());
    const release = await pace("wikimedia", 1, signal);
    const waiting = pace("wikimedia", 1, signal);
    setTimeout(release!, 100);
    expect(await waiting).toBeTypeOf("function");
  });

  it("gives up after two seconds, having asked a limited number of times", async () => {
    const store = new CountedSlots();
    const pace = paceOf(store);
    await pace("wikimedia", 1, signal);
    const started = performance.now();
    expect(await pace("wikimedia", 1, signal)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2_200);
    expect(store.asked).toBeLessThan(20);
  });

  it("stops waiting when the call is no longer wanted", async () => {
    const pace = paceOf(new CountedSlots());
    await pace("wikimedia", 1, signal);
    expect(await pace("wikimedia", 1, AbortSignal.timeout(50))).toBeUndefined();
  }, 1_000);

  it("lets calls through when the slots cannot be asked for", async () => {
    const broken: SlotStore = {
      acquireSlot: () => Promise.reject(new Error("out of reach")),
      releaseSlot: () => Promise.reject(new Error("out of reach")),
    };
    const release = await paceOf(broken)("wikimedia", 1, signal);
    expect(release).toBeTypeOf("function");
    expect(() => release!()).not.toThrow();
  });
});

describe("a step of a paced provider", () => {
  const clock = { now: () => 0 };
  /** Nothing can leave through it: its proxy is no address. */
  const door = new Door({ proxy: "nowhere", allowHttp: false, userAgent: "test" }, clock);
  const config = readConfig({ BRAVE_API_KEY: "test-brave-key-41c7" });
  const images = { query: "cat", orientation: "any", strictNoAttribution: false, page: 1, num: 5 } as const;
  const stepWith = (pace: Pace) => stepsOf(wikimedia, wikimedia.licensedImages!, images, config, door, 0, pace)[0]!;

  it("fails as `rate` without a call when all slots stay taken", async () => {
    expect(await stepWith(() => Promise.resolve(undefined)).run(signal)).toEqual({
      kind: "failed",
      class: "rate",
      detail: "all slots are taken",
    });
  });

  it("gives its slot back when the call fails", async () => {
    let released = 0;
    const outcome = await stepWith(() => Promise.resolve(() => void released++)).run(signal);
    expect(outcome).toMatchObject({ class: "transient" });
    expect(released).toBe(1);
  });

  it("asks for no slot at a provider that has no such limit", async () => {
    const web = { query: "cat", page: 1, num: 5, safe: true };
    const [unpaced] = stepsOf(brave, brave.web!, web, config, door, 0, never);
    expect(await unpaced!.run(signal)).toMatchObject({ class: "transient" });
  });
});
