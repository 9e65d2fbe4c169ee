import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { apiKeys } from "./api-keys.ts";
import { callsTo, cachingGateway, HOUR, kept, overwrite, post, TestClock, WEB } from "./cache-helpers.ts";

const SEARCHES: readonly (readonly [string, Record<string, unknown>])[] = [
  ["/search", WEB],
  ["/search", { search_type: "image", query: "cat", num: 4 }],
  ["/v1/web-search", { query: "cat" }],
  ["/v1/image-search", { query: "cat" }],
  ["/v1/image-search", { query: "cat", license: "cleared" }],
  ["/v1/reverse-image", { image_url: "https://private.example/cat.jpg", mode: "cascade" }],
  ["/v1/tools/google-search", { query: "cat" }],
  ["/v1/tools/serpapi-bing", { query: "cat" }],
  ["/v1/tools/serpapi-images", { query: "cat" }],
  ["/v1/tools/github", { query: "cat" }],
  ["/v1/tools/saucenao", { image_url: "https://private.example/cat.jpg" }],
];

async function providerCalls(gateway: ReturnType<typeof cachingGateway>): Promise<number> {
  return (await gateway.calls()).requests.filter(({ upstream }) => !upstream.startsWith("images")).length;
}

beforeEach(async () => {
  for (const { key } of (await env.BUCKET.list({ prefix: "cache/" })).objects) await env.BUCKET.delete(key);
});

describe("the same search again", () => {
  it.each(SEARCHES)("is answered by %s without a call: %o", async (path, body) => {
    const gateway = cachingGateway();
    const first = await post(gateway, path, body);
    expect(first).toMatchObject({ status: 200, cache: "sluice; fwd=miss; stored", age: null });
    const made = await providerCalls(gateway);
    const second = await post(gateway, path, body);
    expect(second.status).toBe(200);
    expect(second.cache).toMatch(/^sluice; hit; ttl=\d+$/);
    expect(second.age).toMatch(/^\d+$/);
    expect(second.answer.results).toEqual(first.answer.results);
    expect(second.answer.attempts.length).toBeGreaterThan(0);
    for (const attempt of second.answer.attempts) expect(attempt).toMatchObject({ cached: true, ms: 0 });
    expect(await providerCalls(gateway)).toBe(made);
  });

  it("is the same however its query is typed, and another with other options", async () => {
    const gateway = cachingGateway();
    await post(gateway, "/search", WEB);
    for (const query of ["  French   ALPINE landscape ", "ｆｒｅｎｃｈ alpine landscape"]) {
      expect((await post(gateway, "/search", { ...WEB, query })).cache).toContain("hit");
    }
    for (const more of [{ num: 6 }, { page: 2 }, { country: "de" }, { locale: "de" }, { query: "french OR alpine" }]) {
      expect((await post(gateway, "/search", { ...WEB, ...more })).cache).toContain("fwd=miss");
    }
  });

  it("is made anew with another set of providers", async () => {
    const gateway = cachingGateway();
    await post(gateway, "/search", WEB);
    gateway.variables["WEB_CHAIN"] = "serper,wikipedia";
    expect((await post(gateway, "/search", WEB)).cache).toContain("fwd=miss");
    gateway.variables["SERPER_API_KEY"] = "";
    expect((await post(gateway, "/search", WEB)).cache).toContain("fwd=miss");
  });

  it("is served from R2 where the data center has no copy", async () => {
    const gateway = cachingGateway();
    await post(gateway, "/search", WEB);
    const [only] = await kept();
    await overwrite(only!.key, JSON.stringify(only!.entry));
    expect((await post(gateway, "/search", WEB)).cache).toContain("hit");
    expect(await callsTo(gateway, "serpapi")).toBe(1);
  });

  it("is made anew when its time is over", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({}, { clock });
    await post(gateway, "/search", WEB);
    clock.advance(HOUR - 60_000);
    expect(await post(gateway, "/search", WEB)).toMatchObject({ cache: expect.stringContaining("hit") });
    clock.advance(2 * 60_000);
    expect((await post(gateway, "/search", WEB)).cache).toBe("sluice; fwd=miss; stored");
    expect(await callsTo(gateway, "serpapi")).toBe(2);
  });

  it("finds nothing again for a minute only", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({ WEB_CHAIN: "serpapi" }, { clock });
    await gateway.fault("serpapi", { class: "empty" });
    expect((await post(gateway, "/search", WEB)).answer.results).toEqual([]);
    expect((await post(gateway, "/search", WEB)).cache).toContain("hit");
    clock.advance(61_000);
    expect((await post(gateway, "/search", WEB)).cache).toContain("fwd=miss");
  });

  it("is made again after a failure, and after a search that could not ask everyone", async () => {
    const gateway = cachingGateway({ WEB_CHAIN: "serpapi,wikipedia" });
    await gateway.fault("serpapi", { status: 503, times: 1 });
    await gateway.fault("wikipedia", { class: "empty", times: 1 });
    expect((await post(gateway, "/search", WEB)).cache).toBe("sluice; fwd=miss");
    expect(await post(gateway, "/search", WEB)).toMatchObject({ status: 200, cache: "sluice; fwd=miss; stored" });
  });

  it("keeps nothing with CACHE off", async () => {
    const gateway = cachingGateway({ CACHE: "off" });
    for (let time = 0; time < 2; time++) expect((await post(gateway, "/search", WEB)).cache).toBeNull();
    expect(await callsTo(gateway, "serpapi")).toBe(2);
  });
});

describe("what the caller says", () => {
  it("no-cache asks again and keeps the answer for others", async () => {
    const gateway = cachingGateway();
    await post(gateway, "/search", WEB);
    const anew = await post(gateway, "/search", WEB, { "cache-control": "no-cache" });
    expect(anew.cache).toBe("sluice; fwd=request; stored");
    expect(await callsTo(gateway, "serpapi")).toBe(2);
    expect((await post(gateway, "/search", WEB)).cache).toContain("hit");
  });

  it("no-store reads nothing and leaves nothing", async () => {
    const gateway = cachingGateway();
    const secret = await post(gateway, "/search", WEB, { "cache-control": "no-store" });
    expect(secret.cache).toBe("sluice; fwd=request");
    expect((await post(gateway, "/search", WEB)).cache).toContain("fwd=miss");
    expect((await post(gateway, "/search", WEB, { "cache-control": "no-store" })).cache).toBe("sluice; fwd=request");
    expect(await callsTo(gateway, "serpapi")).toBe(3);
  });
});

describe("an old copy", () => {
  it("stands in when everyone fails, marked, with the failures in the record", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({ WEB_CHAIN: "serpapi" }, { clock });
    const { answer: fresh } = await post(gateway, "/search", WEB);
    clock.advance(3 * HOUR);
    await gateway.fault("serpapi", { status: 503 });
    const old = await post(gateway, "/search", WEB);
    expect(old).toMatchObject({ status: 200, answer: { success: true, stale: true, results: fresh.results } });
    expect(old.cache).toMatch(/^sluice; fwd=stale; ttl=-\d+; detail=stale-if-error$/);
    expect(Number(old.age)).toBeGreaterThanOrEqual(3 * 3_600);
    expect(old.answer.attempts).toMatchObject([
      { provider: "serpapi", outcome: "failed", class: "transient", cached: false },
      { provider: "serpapi", outcome: "hit", cached: true, ms: 0 },
    ]);
    const v1 = await post(gateway, "/v1/web-search", { query: WEB.query, num: 5 });
    expect(v1).toMatchObject({ status: 200, answer: { stale: true } });
  });

  it("does not stand in after a week, nor for who wants none", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({ WEB_CHAIN: "serpapi" }, { clock });
    await post(gateway, "/search", WEB);
    await gateway.fault("serpapi", { status: 503 });
    clock.advance(2 * HOUR);
    expect((await post(gateway, "/search", WEB, { "cache-control": "no-cache" })).status).toBe(502);
    clock.advance(7 * 24 * HOUR);
    expect((await post(gateway, "/search", WEB)).status).toBe(502);
  });

  it("does not stand in where its provider's terms do not say so", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({ WEB_CHAIN: "brave" }, { clock });
    await post(gateway, "/search", WEB);
    await gateway.fault("brave", { status: 503 });
    clock.advance(6 * 60_000);
    expect((await post(gateway, "/search", WEB)).status).toBe(502);
  });
});

describe("the terms of providers", () => {
  const QUESTION = { query: "boats in Nagasaki today" };

  it("never let an answer of Gemini be kept", async () => {
    const gateway = cachingGateway();
    for (let time = 0; time < 2; time++) expect((await post(gateway, "/v1/answer", QUESTION)).cache).toBeNull();
    expect(await callsTo(gateway, "gemini")).toBe(4);
    expect((await kept()).filter(({ entry }) => JSON.stringify(entry).includes("Nagasaki"))).toEqual([]);
  });

  it("let an answer of Tavily be kept", async () => {
    const gateway = cachingGateway({ GEMINI_API_KEY: "" });
    const first = await post(gateway, "/v1/answer", QUESTION);
    const second = await post(gateway, "/v1/answer", QUESTION);
    expect(second.cache).toContain("hit");
    expect(second.answer.results).toEqual(first.answer.results);
    expect(await callsTo(gateway, "tavily")).toBe(1);
  });

  it("make Pixabay's answers last for a day, whichever search they were a part of", async () => {
    const clock = new TestClock();
    const gateway = cachingGateway({ LICENSED_IMAGE_CHAIN: "pixabay" }, { clock });
    for (const project of ["one", "two"]) {
      const row = { filename: "alps.jpg", query: "french alpine landscape", save_candidates: true };
      expect((await gateway.post(`/v1/projects/${project}/images`, row)).status).toBe(200);
      clock.advance(23 * HOUR);
    }
    expect(await callsTo(gateway, "pixabay")).toBe(1);
    clock.advance(2 * HOUR);
    const row = { filename: "alps.jpg", query: "french alpine landscape", save_candidates: true };
    await gateway.post("/v1/projects/three/images", row);
    expect(await callsTo(gateway, "pixabay")).toBe(2);
  });
});

describe("tenants", () => {
  it("never see what another has searched for", async () => {
    const keys = await apiKeys({ key: "key-of-one", tenant: "one" }, { key: "key-of-two", tenant: "two" });
    const gateway = cachingGateway({ API_KEYS: keys });
    const as = (key: string) => post(gateway, "/search", WEB, { authorization: `Bearer ${key}` });
    expect((await as("key-of-one")).cache).toContain("fwd=miss");
    expect((await as("key-of-two")).cache).toContain("fwd=miss");
    expect((await as("key-of-one")).cache).toContain("hit");
    expect(await callsTo(gateway, "serpapi")).toBe(2);
    expect(await kept("one")).toHaveLength(1);
    expect(await kept("two")).toHaveLength(1);
  });

  it("do not share a search that is under way", async () => {
    const keys = await apiKeys({ key: "key-of-one", tenant: "one" }, { key: "key-of-two", tenant: "two" });
    const gateway = cachingGateway({ API_KEYS: keys });
    await gateway.fault("serpapi", { latencyMs: 100 });
    const as = (key: string) => post(gateway, "/search", WEB, { authorization: `Bearer ${key}` });
    const both = await Promise.all([as("key-of-one"), as("key-of-two")]);
    expect(both.map(({ cache }) => cache)).toEqual(["sluice; fwd=miss; stored", "sluice; fwd=miss; stored"]);
    expect(await callsTo(gateway, "serpapi")).toBe(2);
  });
});

describe("what somebody else put into the bucket", () => {
  const link = "javascript:alert(1)";

  it.each<readonly [string, (entry: Record<string, unknown>) => string]>([
    ["of another version", (entry) => JSON.stringify({ ...entry, version: 0 })],
    ["of another search", (entry) => JSON.stringify({ ...entry, key: "0".repeat(64) })],
    ["with a link that is none", (entry) => JSON.stringify(entry).replaceAll(/"link":"[^"]*"/g, `"link":"${link}"`)],
    ["of the future", (entry) => JSON.stringify({ ...entry, storedAt: Date.now() + HOUR })],
    ["that is no entry", () => JSON.stringify([1, 2])],
    ["that is no JSON", () => "<html>"],
    ["cut off", (entry) => JSON.stringify(entry).slice(0, 200)],
  ])("is a miss: an entry %s", async (_, spoil) => {
    const gateway = cachingGateway();
    const { answer } = await post(gateway, "/search", WEB);
    const [only] = await kept();
    await overwrite(only!.key, spoil(only!.entry));
    const again = await post(gateway, "/search", WEB);
    expect(again).toMatchObject({ status: 200, cache: "sluice; fwd=miss; stored" });
    expect(again.answer.results).toEqual(answer.results);
  });
});
