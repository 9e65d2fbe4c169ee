import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/egress/redact.ts";

describe("redaction", () => {
  it("removes a secret in every spelling that a URL, a JSON text or Basic auth gives it", () => {
    const secret = 'p"ä ss/wörd+1';
    const redact = makeRedactor([secret]);
    for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify(secret)]) {
      expect(redact(`before ${spelling} after`)).not.toContain("wörd");
      expect(redact(`before ${spelling} after`)).not.toContain("w%C3%B6rd");
    }
    const basic = Buffer.from(secret, "utf8").toString("base64");
    expect(redact(`authorization ${basic}`)).not.toContain(basic);
  });

  it("removes what stands where keys stand, even when it is not configured here", () => {
    const redact = makeRedactor([]);
    expect(redact("GET https://serpapi.com/search.json?q=cat&api_key=abc123&num=5")).toBe(
      "GET https://serpapi.com/search.json?q=cat&api_key=[redacted]&num=5",
    );
    expect(redact("https://pixabay.com/api/?key=1234-abcd")).not.toContain("1234-abcd");
    expect(redact("Authorization: Bearer tvly-1234567")).not.toContain("tvly-1234567");
  });

  it("leaves ordinary text alone", () => {
    const text = "The key to Nagasaki's harbor is its monkeys=fun turkey?";
    expect(makeRedactor(["another-secret"])(text)).toBe(text);
  });

  it("lets no configured secret through, wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, maxLength: 40 }), fc.string(), fc.string(), (secret, before, after) => {
        fc.pre(!"[redacted]".includes(secret));
        expect(makeRedactor([secret])(`${before}${secret}${after}`)).not.toContain(secret);
      }),
    );
  });
});
