import { describe, expect, it } from "vitest";
import { refusal } from "../../src/egress/address-guard.ts";
import { ADDRESS_TRICKS_BY_KIND } from "./address-tricks.ts";

const strict = { allowHttp: false };
const withHttp = { allowHttp: true };

const PUBLIC = [
  "https://example.com/",
  "https://example.com:443/a?b#c",
  "https://8.8.8.8/",
  "https://[2001:4860:4860::8888]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[64:ff9b::808:808]/",
  "https://[2002:808:808::1]/",
  "https://[2a00:1450:4001:81b::200e]/",
  "https://münchen.example/",
  "https://example.com./",
];

const REFUSED: readonly [string, RegExp][] = [
  ["http://example.com/", /scheme/],
  ["ftp://example.com/", /scheme/],
  ["file:///etc/passwd", /scheme/],
  ["data:text/plain,x", /scheme/],
  ["https://user:secret@example.com/", /credentials/],
  ["https://user@example.com/", /credentials/],
  ["https://example.com:8443/", /port/],
  ["https://example.com:22/", /port/],
  ["https://localhost/", /single label/],
  ["https://localhost./", /single label/],
  ["https://LOCALHOST/", /single label/],
  ["https://intranet/", /single label/],
  ["https://foo.localhost/", /local name/],
  ["https://foo.localhost./", /local name/],
  ["https://printer.local/", /local name/],
  ["https://metadata.google.internal/", /local name/],
  ["https://router.lan/", /local name/],
  ["https://nas.home.arpa/", /local name/],
  ["https://127.0.0.1/", /not public/],
  ["https://127.1/", /not public/],
  ["https://2130706433/", /not public/],
  ["https://0x7f000001/", /not public/],
  ["https://0177.0.0.1/", /not public/],
  ["https://１２７.０.０.１/", /not public/],
  ["https://127.0.0.1./", /not public/],
  ["https://0.0.0.0/", /not public/],
  ["https://10.1.2.3/", /not public/],
  ["https://172.16.0.1/", /not public/],
  ["https://192.168.1.1/", /not public/],
  ["https://169.254.169.254/latest/meta-data", /not public/],
  ["https://100.64.0.1/", /not public/],
  ["https://198.18.0.1/", /not public/],
  ["https://224.0.0.1/", /not public/],
  ["https://255.255.255.255/", /not public/],
  ["https://[::1]/", /not public/],
  ["https://[::]/", /not public/],
  ["https://[fe80::1]/", /not public/],
  ["https://[fd00::1]/", /not public/],
  ["https://[fec0::1]/", /not public/],
  ["https://[ff02::1]/", /not public/],
  ["https://[::ffff:127.0.0.1]/", /not public/],
  ["https://[::ffff:a9fe:a9fe]/", /not public/],
  ["https://[64:ff9b::7f00:1]/", /not public/],
  ["https://[64:ff9b::a9fe:a9fe]/", /not public/],
  ["https://[64:ff9b:1::808:808]/", /not public/],
  ["https://[2002:7f00:1::]/", /not public/],
  ["https://[2002:a9fe:a9fe::]/", /not public/],
  ["https://[2001:0:1:1::80ff:fffe]/", /not public/],
];

describe("the address guard", () => {
  it.each(PUBLIC)("lets %s out", (url) => {
    expect(refusal(new URL(url), strict)).toBeUndefined();
  });

  it.each(REFUSED)("refuses %s", (url, why) => {
    expect(refusal(new URL(url), strict)).toMatch(why);
  });

  it.each(ADDRESS_TRICKS_BY_KIND)("refuses every way of %s, also where http is allowed", (_, addresses) => {
    for (const address of addresses) {
      for (const rules of [strict, withHttp])
        expect([address, refusal(new URL(address), rules)]).not.toContain(undefined);
      const overHttp = address.replace(/^https:/, "http:");
      expect([overHttp, refusal(new URL(overHttp), withHttp)]).not.toContain(undefined);
    }
  });

  it("lets plain http out only where it is configured, and still no private address", () => {
    expect(refusal(new URL("http://example.com/"), withHttp)).toBeUndefined();
    expect(refusal(new URL("http://169.254.169.254/"), withHttp)).toMatch(/not public/);
  });

  it("lets the operator's own host out, and no other one", () => {
    const rules = { allowHttp: false, operatorHosts: ["chat.lan", "searx.lan:8888"] };
    expect(refusal(new URL("http://searx.lan:8888/search"), rules)).toBeUndefined();
    expect(refusal(new URL("http://searx.lan:8889/search"), rules)).toBeDefined();
    expect(refusal(new URL("https://other.lan/search"), rules)).toMatch(/local name/);
  });
});
