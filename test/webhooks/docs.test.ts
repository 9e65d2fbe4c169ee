import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";

type Verify = (headers: Record<string, string>, body: string, secret: string, nowSeconds: number) => boolean;

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const NOW = 1_793_694_600;
const BODY = '{"type":"batch.completed"}';

/** What a reader would copy from the page. */
const [, snippet = ""] = /## Verify what arrives[\s\S]*?```js\n([\s\S]*?)```/.exec(
  readFileSync("docs/webhooks.md", "utf8"),
)!;
const { verify } = (await import(`data:text/javascript,${encodeURIComponent(snippet)}`)) as { verify: Verify };

describe("the verification that docs/webhooks.md shows", () => {
  it("takes what the reference library signed", () => {
    expect(verify(headers(), BODY, SECRET, NOW)).toBe(true);
    const several = `v1,AAAA ${headers()["webhook-signature"]}`;
    expect(verify({ ...headers(), "webhook-signature": several }, BODY, SECRET, NOW)).toBe(true);
  });

  it("refuses another body, another secret, an old request and one without headers", () => {
    expect(verify(headers(), `${BODY} `, SECRET, NOW)).toBe(false);
    expect(verify(headers(), BODY, SECRET.replace("MfKQ", "MfKR"), NOW)).toBe(false);
    expect(verify(headers(), BODY, SECRET, NOW + 301)).toBe(false);
    expect(verify({}, BODY, SECRET, NOW)).toBe(false);
  });
});

function headers(): Record<string, string> {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW),
    "webhook-signature": new Webhook(SECRET).sign("msg_1", new Date(NOW * 1000), BODY),
  };
}
