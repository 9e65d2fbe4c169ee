import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { apiKeys } from "./api-keys.ts";
import { type Answer, callsTo, cachingGateway, countedObjects, HOUR, post, TestClock, WEB } from "./cache-helpers.ts";

const IMAGES = { search_type: "image", query: "cat", num: 4 };
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

beforeEach(async () => {
  for (const { key } of (await env.BUCKET.list({ prefix: "cache/" })).objects) await env.BUCKET.delete(key);
});

describe("identical searches at the same time", () => {
  it("make one call between them", async () => {
    const gateway = cachingGateway();
    await gateway.fault("serpapi", { latencyMs: 300 });
    const all = await Promise.all(Array.from({ length: 20 }, () => post(gateway, "/search", WEB)));
    expect(await callsTo(gateway, "serpapi")).toBe(1);
    for (const { status, answer } of all) {
      expect(status).toBe(200);
      expect(answer.results).toEqual(all[0]!.answer.results);
    }
    const collapsed = all.filter(({ cache }) => cache === "sluice; fwd=miss; collapsed");
    expect(collapsed).toHaveLength(19);
    for (const { answer } of collapsed) expect(answer.attempts).toMatchObject([{ provider: "serpapi", cached: true }]);
  });

  it("make one call between them when the first client leaves", async () => {
    const gateway = cachingGateway();
    await gateway.fault("serpapi", { latencyMs: 400 });
    const leaving = new AbortController();
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(WEB) };
    const first = gateway.fetch("/search", { ...init, signal: leaving.signal }).catch(() => undefined);
    const others = Array.from({ length: 19 }, () => post(gateway, "/search", WEB));
    await new Promise((resolve) => setTimeout(resolve, 150));
    leaving.abort();
    for (const { status, cache } of await Promise.all(others)) {
      expect(status).toBe(200);
      expect(cache).toBe("sluice; fwd=miss; collapsed");
    }
    await first;
    expect(await callsTo(gateway, "serpapi")).toBe(1);
  });

  it("ask for themselves when the first of them fails", async () => {
    const gateway = cachingGateway({ WEB_CHAIN: "serpapi" });
    await gateway.fault("serpapi", { latencyMs: 150, status: 503, times: 1 });
    const all = await Promise.all(Array.from({ length: 3 }, () => post(gateway, "/search", WEB)));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 502]);
  });
});

describe("what a cached search costs", () => {
  it("no call to a Durable Object, where an uncached one asks for health", async () => {
    const calls: string[] = [];
    const gateway = cachingGateway({}, { bindings: countedObjects(calls) });
    await post(gateway, "/search", WEB);
    const uncached = calls.splice(0);
    expect(uncached.filter((call) => call === "PROVIDER_HEALTH.snapshot")).toHaveLength(1);
    // Long enough for the isolate's copy of provider health to be old.
    const later = new TestClock();
    later.advance(60_000);
    const again = cachingGateway(gateway.variables, { bindings: countedObjects(calls), clock: later });
    expect((await post(again, "/search", WEB)).cache).toContain("hit");
    expect(calls).toEqual([]);
  });

  it("nothing of the day's budget", async () => {
    const keys = await apiKeys({ key: "k".repeat(32), tenant: "frugal", limits: { upstream_per_day: 1 } });
    const gateway = cachingGateway({ API_KEYS: keys, WEB_CHAIN: "serpapi" });
    const ask = (query: string) =>
      post(gateway, "/search", { ...WEB, query }, { authorization: `Bearer ${"k".repeat(32)}` });
    expect((await ask("cat")).status).toBe(200);
    for (let time = 0; time < 3; time++) expect(await ask("cat")).toMatchObject({ status: 200 });
    expect((await ask("boats in Nagasaki")).status).toBe(502);
  });

  it("five calls for a hundred searches over five queries", async () => {
    const gateway = cachingGateway();
    const queries = ["cat", "airplane from above", "french alpine landscape", "boats in Nagasaki", "dust bowl home"];
    for (let round = 0; round < 20; round++) {
      const all = await Promise.all(queries.map((query) => post(gateway, "/search", { ...WEB, query })));
      for (const { answer } of all) expect(answer.results.length).toBeGreaterThan(0);
    }
    const { requests } = await gateway.calls();
    expect(requests).toHaveLength(5);
  });

  it("no second upload of an image that was searched by before", async () => {
    const gateway = cachingGateway({ PUBLIC_URL: "http://127.0.0.1:9" });
    const search = { image_data_url: PIXEL, mode: "cascade" };
    const first = await post(gateway, "/v1/reverse-image", search);
    expect(first).toMatchObject({ status: 200, cache: "sluice; fwd=miss; stored" });
    const second = await post(gateway, "/v1/reverse-image", search);
    expect(second.cache).toContain("hit");
    expect(second.answer).toEqual({ ...first.answer, attempts: second.answer.attempts });
    expect(await callsTo(gateway, "imgbb")).toBe(1);
  });
});

describe("pictures that were looked at", () => {
  const looks = async (gateway: ReturnType<typeof cachingGateway>) =>
    (await gateway.calls()).requests.filter(({ upstream }) => upstream.startsWith("images")).length;

  it("are not looked at again for the next search that finds them", async () => {
    const gateway = cachingGateway();
    await post(gateway, "/search", IMAGES);
    const before = await looks(gateway);
    expect(before).toBeGreaterThan(0);
    await post(gateway, "/search", IMAGES);
    expect(await looks(gateway)).toBe(before);
  });

  it("stay dead for hours when they were gone, and are tried again after any other refusal", async () => {
    const clock = new TestClock();
    for (const [status, again] of [
      [404, false],
      [503, true],
    ] as const) {
      const gateway = cachingGateway({}, { clock });
      await gateway.fault("images", { status });
      await post(gateway, "/search", IMAGES);
      const before = await looks(gateway);
      clock.advance(2 * HOUR);
      await post(gateway, "/search", IMAGES);
      expect((await looks(gateway)) > before).toBe(again);
    }
  });

  it("are not downloaded a second time for the mirror", async () => {
    const gateway = cachingGateway({ SEARCH_MIRROR: "on" });
    const first = await post(gateway, "/search", IMAGES);
    const before = await looks(gateway);
    const second = await post(gateway, "/search", IMAGES);
    expect(await looks(gateway)).toBe(before);
    expect(second.answer.results).toHaveLength(first.answer.results.length);
    for (const { imageUrl } of second.answer.results) {
      expect((await gateway.fetch(String(imageUrl))).status).toBe(200);
    }
  });

  it("are looked at again for another tenant", async () => {
    const keys = await apiKeys({ key: "key-of-one", tenant: "one" }, { key: "key-of-two", tenant: "two" });
    const gateway = cachingGateway({ API_KEYS: keys });
    await post(gateway, "/search", IMAGES, { authorization: "Bearer key-of-one" });
    const before = await looks(gateway);
    await post(gateway, "/search", IMAGES, { authorization: "Bearer key-of-two" });
    expect(await looks(gateway)).toBe(2 * before);
  });
});

describe("a cache that does not work", () => {
  const BROKEN: readonly (readonly [string, () => Promise<never>])[] = [
    ["hangs", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("R2 is down"))],
  ];

  it.each(BROKEN)("that %s costs the copy and not the search", async (_, broken) => {
    // R2 alone is broken: the Cache API has nothing before the first write.
    const BUCKET = { get: broken, put: broken };
    const gateway = cachingGateway({}, { bindings: { BUCKET } });
    const body = JSON.stringify({ ...WEB, query: "march pastoral" });
    const answer = await Promise.race([
      gateway.post("/search", body).then((response) => response.json<Answer>()),
      new Promise((resolve) => setTimeout(resolve, 10_000, "late")),
    ]);
    expect(answer).toMatchObject({ success: true, attempts: [{ provider: "serpapi", outcome: "hit", cached: false }] });
  });
});
