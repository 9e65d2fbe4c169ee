import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { WebhookOutbox } from "../../durable-objects/webhook-outbox.ts";
import type { DeliveryResult } from "../../src/webhooks/deliver.ts";
import type { WebhookEvent } from "../../src/webhooks/events.ts";

const NOW = Date.UTC(2026, 10, 3, 8, 30);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const MIDDLE = 0.5;
const EVENT: WebhookEvent = {
  type: "batch.row.changed",
  data: { batch: "b1", project: "deck", filename: "a.jpg", previous_status: "Pending", status: "Sourced", attempt: 1 },
};
const DELIVERED: DeliveryResult = { status: "delivered", httpStatus: 200, detail: "the receiver answered 200" };
const FAILED: DeliveryResult = { status: "retry", httpStatus: 500, detail: "the receiver answered 500" };
const GONE: DeliveryResult = { status: "gone", httpStatus: 410, detail: "the receiver answered 410" };

describe("the outbox", () => {
  it("has an event due at once, under the id it was given, and not again once it is delivered", async () => {
    await withOutbox((outbox) => {
      expect(outbox.enqueue(EVENT, "a1", NOW)).toBe("msg_a1");
      expect(outbox.nextDue()).toBe(NOW);
      const [delivery] = outbox.due(NOW, 10);
      expect(delivery!.id).toBe("msg_a1");
      expect(JSON.parse(delivery!.body)).toEqual({ ...EVENT, timestamp: "2026-11-03T08:30:00.000Z" });
      outbox.record("msg_a1", DELIVERED, NOW + 300, MIDDLE);
      expect(outbox.due(NOW + 100 * HOUR, 10)).toEqual([]);
      expect(outbox.nextDue()).toBeUndefined();
    });
  });

  it("gives what was not recorded out again, so that a crash loses nothing", async () => {
    await withOutbox((outbox, sql) => {
      outbox.enqueue(EVENT, "a1", NOW);
      const before = outbox.due(NOW, 10);
      expect(new WebhookOutbox(sql).due(NOW + SECOND, 10)).toEqual(before);
    });
  });

  it("repeats a failed delivery with the same body, later and later, and gives up behind eight tries", async () => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      const bodies = new Set<string>();
      const waits: number[] = [];
      for (let at = NOW, next: number | undefined = NOW; next !== undefined;) {
        waits.push(next - at);
        at = next;
        expect(outbox.due(at - 1, 10)).toEqual([]);
        bodies.add(outbox.due(at, 10)[0]!.body);
        outbox.record("msg_a1", FAILED, at, MIDDLE);
        next = outbox.nextDue();
      }
      expect(bodies.size).toBe(1);
      expect(waits.map((wait) => wait / SECOND)).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]);
      const [line] = outbox.log(0, 10).deliveries;
      expect(line).toMatchObject({ state: "failed", attempts: 8, lastStatus: 500 });
      expect(line).not.toHaveProperty("nextTryAt");
    });
  });

  it("sends the longest due first, at most as many as asked for", async () => {
    await withOutbox((outbox) => {
      for (const random of ["a1", "a2", "a3"]) outbox.enqueue(EVENT, random, NOW);
      outbox.record("msg_a1", FAILED, NOW, MIDDLE);
      expect(outbox.due(NOW + 10 * SECOND, 2).map(({ id }) => id)).toEqual(["msg_a2", "msg_a3"]);
      expect(outbox.due(NOW + 10 * SECOND, 9).map(({ id }) => id)).toEqual(["msg_a2", "msg_a3", "msg_a1"]);
    });
  });

  it("leaves the endpoint alone for as long as its Retry-After says, for every event", async () => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      outbox.enqueue(EVENT, "a2", NOW);
      outbox.record("msg_a1", { ...FAILED, httpStatus: 429, retryAfterMs: 120 * SECOND }, NOW, MIDDLE);
      expect(outbox.due(NOW + 119 * SECOND, 10)).toEqual([]);
      expect(outbox.nextDue()).toBe(NOW + 120 * SECOND);
      expect(outbox.due(NOW + 120 * SECOND, 10)).toHaveLength(2);
    });
  });

  it.each([
    ["410", GONE],
    ["a URL that the guard refuses", { status: "refused", detail: "the address is not public" } as const],
  ])("is disabled by %s: nothing is sent, but everything is kept", async (_, result) => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      outbox.enqueue(EVENT, "a2", NOW);
      outbox.record("msg_a1", result, NOW + SECOND, MIDDLE);
      expect(outbox.disabled()).toEqual({ reason: result.detail, at: NOW + SECOND });
      outbox.enqueue(EVENT, "a3", NOW + 2 * SECOND);
      expect(outbox.due(NOW + 100 * HOUR, 10)).toEqual([]);
      expect(outbox.nextDue()).toBeUndefined();
      expect(outbox.log(0, 10).deliveries.map(({ state }) => state)).toEqual(["failed", "pending", "pending"]);
    });
  });

  it("sends a delivery again when asked, with all its tries, and wakes a disabled endpoint", async () => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      outbox.enqueue(EVENT, "a2", NOW);
      outbox.record("msg_a1", GONE, NOW, MIDDLE);
      expect(outbox.resend("msg_a1", NOW + HOUR)).toBe(true);
      expect(outbox.disabled()).toBeUndefined();
      expect(outbox.due(NOW + HOUR, 10).map(({ id }) => id)).toEqual(["msg_a2", "msg_a1"]);
      outbox.record("msg_a1", FAILED, NOW + HOUR, MIDDLE);
      const [line] = outbox.log(0, 1).deliveries;
      expect(line).toMatchObject({ state: "pending", attempts: 2, nextTryAt: NOW + HOUR + 5 * SECOND });
    });
  });

  it("sends even a delivered event again, with the same body", async () => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      const first = outbox.due(NOW, 1);
      outbox.record("msg_a1", DELIVERED, NOW, MIDDLE);
      outbox.resend("msg_a1", NOW + HOUR);
      expect(outbox.due(NOW + HOUR, 1)).toEqual(first);
    });
  });

  it("knows nothing of an id that it did not give", async () => {
    await withOutbox((outbox) => {
      outbox.enqueue(EVENT, "a1", NOW);
      outbox.record("msg_a1", GONE, NOW, MIDDLE);
      expect(outbox.resend("msg_other", NOW)).toBe(false);
      outbox.record("msg_other", DELIVERED, NOW, MIDDLE);
      expect(outbox.disabled()).toBeDefined();
      expect(outbox.log(0, 10).deliveries).toHaveLength(1);
    });
  });

  it("shows its log in pages, without bodies", async () => {
    await withOutbox((outbox) => {
      for (const random of ["a1", "a2", "a3"]) outbox.enqueue(EVENT, random, NOW);
      outbox.record("msg_a1", FAILED, NOW + SECOND, MIDDLE);
      const first = outbox.log(0, 2);
      expect(first.deliveries[0]).toEqual({
        sequence: 1,
        id: "msg_a1",
        type: "batch.row.changed",
        state: "pending",
        attempts: 1,
        createdAt: NOW,
        lastTriedAt: NOW + SECOND,
        lastStatus: 500,
        lastDetail: "the receiver answered 500",
        nextTryAt: NOW + 6 * SECOND,
      });
      expect(first.next).toBe(2);
      const second = outbox.log(first.next!, 2);
      expect(second.deliveries.map(({ id }) => id)).toEqual(["msg_a3"]);
      expect(second.next).toBeUndefined();
    });
  });
});

let objects = 0;

/** In the real storage of a new object. */
function withOutbox(work: (outbox: WebhookOutbox, sql: SqlStorage) => void): Promise<void> {
  const stub = env.PROJECTS.get(env.PROJECTS.idFromName(`outbox-${++objects}`));
  return runInDurableObject(stub, (_, state) => work(new WebhookOutbox(state.storage.sql), state.storage.sql));
}
