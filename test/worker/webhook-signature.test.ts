import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isWebhookSecret, signWebhook, webhookFault } from "../../src/webhooks/signature.ts";

const OLD = secretOf(24, 1);
const NEW = secretOf(32, 2);
const FOREIGN = secretOf(24, 3);
const NOW = Date.UTC(2026, 10, 3, 8, 30);
const BODY = JSON.stringify({ type: "batch.completed", data: { title: "解放碑 “quoted”\n" } });

// The reference library reads the clock itself.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterAll(() => void vi.useRealTimers());

describe("signatures that we make", () => {
  it("are verified by the reference library, whichever of the secrets it knows", async () => {
    const headers = { ...(await signWebhook("msg_1", BODY, [NEW, OLD], NOW)) };
    expect(new Webhook(NEW).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(new Webhook(OLD).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(FOREIGN).verify(BODY, headers)).toThrow("No matching signature");
  });

  it("cover the id and the body", async () => {
    const headers = await signWebhook("msg_1", BODY, [NEW], NOW);
    expect(() => new Webhook(NEW).verify(`${BODY} `, { ...headers })).toThrow("No matching signature");
    expect(() => new Webhook(NEW).verify(BODY, { ...headers, "webhook-id": "msg_2" })).toThrow("No matching signature");
  });

  it("are never made with something that is no secret", async () => {
    await expect(signWebhook("msg_1", BODY, ["hunter2"], NOW)).rejects.toMatchObject({ code: "misconfigured" });
  });
});

describe("signatures that we are shown", () => {
  it("are taken when the reference library made them with any of our secrets", async () => {
    expect(await webhookFault(signed(OLD), BODY, [NEW, OLD], NOW)).toBeUndefined();
  });

  it("are found behind others and behind versions that we do not know", async () => {
    const headers = signed(NEW);
    headers.set("webhook-signature", `v1a,zzzz v1,AAAA v1,!! ${headers.get("webhook-signature")}`);
    expect(await webhookFault(headers, BODY, [NEW], NOW)).toBeUndefined();
  });

  it("are refused when another secret made them, or when nobody is known", async () => {
    const expected = "no signature is one of ours";
    expect(await webhookFault(signed(FOREIGN), BODY, [NEW, OLD], NOW)).toBe(expected);
    expect(await webhookFault(signed(FOREIGN), BODY, [], NOW)).toBe(expected);
  });

  it("are refused for another body, id or time", async () => {
    expect(await webhookFault(signed(NEW), `${BODY} `, [NEW], NOW)).toBeDefined();
    const otherId = signed(NEW);
    otherId.set("webhook-id", "msg_2");
    const otherTime = signed(NEW);
    otherTime.set("webhook-timestamp", String(NOW / 1000 - 1));
    for (const headers of [otherId, otherTime]) {
      expect(await webhookFault(headers, BODY, [NEW], NOW)).toBe("no signature is one of ours");
    }
  });

  it("are refused when they are more than five minutes old or ahead", async () => {
    for (const seconds of [-301, 301]) {
      const fault = await webhookFault(signed(NEW, NOW + seconds * 1000), BODY, [NEW], NOW);
      expect(fault).toBe("webhook-timestamp is more than five minutes off");
    }
    expect(await webhookFault(signed(NEW, NOW - 298_000), BODY, [NEW], NOW)).toBeUndefined();
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("are refused without %s", async (name) => {
    const headers = signed(NEW);
    headers.delete(name);
    expect(await webhookFault(headers, BODY, [NEW], NOW)).toMatch("is missing");
  });

  it.each(["soon", "-5", "1e9", "99999999999999"])("are refused at the time %s", async (time) => {
    const headers = signed(NEW);
    headers.set("webhook-timestamp", time);
    expect(await webhookFault(headers, BODY, [NEW], NOW)).toBe("webhook-timestamp is not a Unix time in seconds");
  });
});

describe("a secret", () => {
  it("is whsec_ and 24 to 64 bytes in base64", () => {
    expect([24, 32, 64].map((bytes) => isWebhookSecret(secretOf(bytes, 9)))).toEqual([true, true, true]);
    expect([23, 65].map((bytes) => isWebhookSecret(secretOf(bytes, 9)))).toEqual([false, false]);
    const bare = NEW.slice("whsec_".length);
    expect([bare, `WHSEC_${bare}`, `whsec_${bare.slice(1)}`, "whsec_", ""].filter(isWebhookSecret)).toEqual([]);
  });
});

function signed(secret: string, at = NOW): Headers {
  return new Headers({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", new Date(at), BODY),
  });
}

function secretOf(bytes: number, fill: number): string {
  return `whsec_${new Uint8Array(bytes).fill(fill).toBase64()}`;
}
