import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { Door } from "../../src/egress/door.ts";
import { type Delivery, deliver, type DeliveryResult, type Endpoint } from "../../src/webhooks/deliver.ts";
import { Gateway, type UpstreamCall } from "./gateway.ts";

const NOW = Date.UTC(2026, 10, 3, 8, 30);
const SECRET = secretOf(1);
const OLD_SECRET = secretOf(2);
const URL_OF_CALLER = "https://webhooks.example/decks?team=7";
const DELIVERY: Delivery = { id: "msg_1", body: '{"type":"batch.completed","data":{"title":"解放碑"}}' };

type ReceivedCall = UpstreamCall & { readonly method: string; readonly body: string };

// The reference library reads the clock itself.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

describe.concurrent("one delivery", () => {
  it("arrives as a POST that the reference library verifies", async () => {
    const receiver = new Receiver();
    expect(await receiver.deliver()).toMatchObject({ status: "delivered", httpStatus: 200 });
    const [call] = await receiver.calls();
    expect(call).toMatchObject({ method: "POST", path: "/decks", query: { team: "7" } });
    expect(call!.headers).toMatchObject({ "content-type": "application/json", "webhook-id": "msg_1" });
    expect(call!.headers["user-agent"]).toMatch(/^Sluice\//);
    expect(new Webhook(SECRET).verify(call!.body, call!.headers)).toEqual(JSON.parse(DELIVERY.body));
  });

  it("can be verified with the old and with the new secret while they are being rotated", async () => {
    const receiver = new Receiver();
    await receiver.deliver({ secrets: [SECRET, OLD_SECRET] });
    const [call] = await receiver.calls();
    for (const secret of [SECRET, OLD_SECRET]) {
      expect(new Webhook(secret).verify(call!.body, call!.headers)).toBeDefined();
    }
  });

  it("carries the same id and body at every try, signed anew at its own time", async () => {
    const receiver = new Receiver();
    await receiver.fault({ status: 500, times: 1 });
    await receiver.deliver({}, NOW - 60_000);
    await receiver.deliver({}, NOW);
    const [first, second] = await receiver.calls();
    expect(second!.body).toBe(first!.body);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(seconds(second!) - seconds(first!)).toBe(60);
    for (const call of [first!, second!]) expect(new Webhook(SECRET).verify(call.body, call.headers)).toBeDefined();
  });

  it("is to be tried again when the receiver fails, and keeps nothing of what it wrote", async () => {
    const receiver = new Receiver();
    await receiver.fault({ status: 500, body: "stack trace with internals" });
    const result = await receiver.deliver();
    expect(result).toEqual({ status: "retry", httpStatus: 500, detail: "the receiver answered 500" });
  });

  it("takes 410 as a wish to get nothing more", async () => {
    const receiver = new Receiver();
    await receiver.fault({ status: 410 });
    expect(await receiver.deliver()).toMatchObject({ status: "gone", httpStatus: 410 });
  });

  it.each([
    ["seconds", "120", 120_000],
    ["a date", "Tue, 03 Nov 2026 08:31:00 GMT", 60_000],
  ])("reads Retry-After in %s", async (_, value, wait) => {
    const receiver = new Receiver();
    await receiver.fault({ status: 429, headers: { "retry-after": value } });
    expect(await receiver.deliver()).toMatchObject({ status: "retry", httpStatus: 429, retryAfterMs: wait });
  });

  it("does not follow a redirect, least of all to a private address", async () => {
    const receiver = new Receiver();
    await receiver.fault({ redirect: "http://169.254.169.254/latest/meta-data" });
    expect(await receiver.deliver()).toMatchObject({ status: "retry", httpStatus: 302 });
    expect(await receiver.calls()).toHaveLength(1);
  });

  it("waits 15 seconds for a receiver that never answers", async () => {
    const receiver = new Receiver();
    await receiver.fault({ hang: true });
    const result = await receiver.deliver();
    expect(result).toEqual({ status: "retry", detail: "no complete answer within 15000 ms" });
  });

  it("stops reading an answer without end", async () => {
    const receiver = new Receiver();
    await receiver.fault({ endless: true });
    expect(await receiver.deliver()).toMatchObject({ status: "retry", detail: expect.stringContaining("65536") });
  });

  it.each(["https://10.0.0.8/in", "http://webhooks.example/in", "https://localhost/in", "nowhere"])(
    "never leaves for %s, even where plain http is allowed",
    async (url) => {
      const receiver = new Receiver();
      expect(await receiver.deliver({ url })).toMatchObject({ status: "refused" });
      expect(await receiver.calls()).toEqual([]);
    },
  );

  it.each([[[]], [["hunter2"]], [[SECRET, "hunter2"]]])(
    "is kept, not sent, without good secrets: %j",
    async (secrets) => {
      const receiver = new Receiver();
      expect(await receiver.deliver({ secrets })).toMatchObject({
        status: "retry",
        detail: expect.stringMatching("secret"),
      });
      expect(await receiver.calls()).toEqual([]);
    },
  );
});

/** The simulated receiver, and deliveries to it. */
class Receiver {
  readonly #gateway = new Gateway();

  deliver(endpoint: Partial<Endpoint> = {}, at = NOW): Promise<DeliveryResult> {
    const clock = { now: () => at };
    const settings = { proxy: this.#gateway.scopeUrl, allowHttp: true, userAgent: "Sluice/0.1 (ops@sluice.example)" };
    const whole = { url: URL_OF_CALLER, secrets: [SECRET], ...endpoint };
    return deliver(new Door(settings, clock), whole, DELIVERY, clock, new AbortController().signal);
  }

  fault(fault: unknown): Promise<void> {
    return this.#gateway.fault("webhooks", fault);
  }

  async calls(): Promise<ReceivedCall[]> {
    return (await this.#gateway.calls()).requests as ReceivedCall[];
  }
}

function seconds(call: UpstreamCall): number {
  return Number(call.headers["webhook-timestamp"]);
}

function secretOf(fill: number): string {
  return `whsec_${new Uint8Array(24).fill(fill).toBase64()}`;
}
