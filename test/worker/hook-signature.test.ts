import { Hono } from "hono";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { AppEnv } from "../../routes/context.ts";
import { verifyHook } from "../../routes/hook-signature.ts";
import { readConfig } from "../../src/config.ts";
import { SluiceError } from "../../src/errors.ts";

const NOW = Date.UTC(2026, 10, 3, 8, 30);
const SECRET = secretOf(1);
const OLD_SECRET = secretOf(2);
const BODY = '{ "items": [{"filename": "a.jpg", "query": "解放碑"}] }\n';
const config = readConfig({
  WEBHOOKS: JSON.stringify({ acme: { secrets: [SECRET, OLD_SECRET] }, other: { secrets: [secretOf(3)] } }),
});

describe("an inbound webhook", () => {
  it("hands on the body as it came, signed with the new or the old secret", async () => {
    for (const secret of [SECRET, OLD_SECRET]) {
      const response = await post("acme", signed(secret));
      expect([response.status, await response.text()]).toEqual([200, BODY]);
    }
  });

  it("is refused alike when it is badly signed, signed for another tenant, or for one that does not exist", async () => {
    const refusals = await Promise.all([
      post("acme", signed(secretOf(9))),
      post("other", signed(SECRET)),
      post("nobody", signed(SECRET)),
      post("constructor", signed(SECRET)),
      post("__proto__", signed(SECRET)),
    ]);
    const answers = await Promise.all(refusals.map(async (response) => [response.status, await response.text()]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify([401, "The webhook is not accepted: no signature is one of ours."])]),
    );
  });

  it("is refused when its signature is old, missing, or of another body", async () => {
    const old = await post("acme", signed(SECRET, NOW - 301_000));
    expect([old.status, await old.text()]).toEqual([401, expect.stringContaining("more than five minutes off")]);
    const bare = await post("acme", {});
    expect([bare.status, await bare.text()]).toEqual([401, expect.stringContaining("is missing")]);
    expect((await post("acme", signed(SECRET), BODY.trim())).status).toBe(401);
  });
});

const app = new Hono<AppEnv>();
app.use(async (c, next) => {
  c.set("config", config);
  c.set("clock", { now: () => NOW });
  await next();
});
app.post("/:tenant", async (c) => c.text(await verifyHook(c, c.req.param("tenant"))));
app.onError((error, c) =>
  c.text(error.message, error instanceof SluiceError && error.code === "unauthorized" ? 401 : 500),
);

async function post(tenant: string, headers: Record<string, string>, body = BODY): Promise<Response> {
  return app.request(`/${tenant}`, { method: "POST", headers, body });
}

function signed(secret: string, at = NOW): Record<string, string> {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(at / 1000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", new Date(at), BODY),
  };
}

function secretOf(fill: number): string {
  return `whsec_${new Uint8Array(24).fill(fill).toBase64()}`;
}
