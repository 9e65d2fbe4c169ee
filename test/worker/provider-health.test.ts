import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { Gateway } from "./gateway.ts";

interface ProviderBody {
  id: string;
  status: string;
  offers: string[];
  needs: string[][];
  accounts: { name: string; suspended_until: string | null; reason: string | null }[];
  limits: { slots: number | null };
}

interface Searched {
  attempts: { provider: string; outcome: string; class?: string; detail?: string }[];
}

const WEB = { search_type: "web", query: "cat", num: 5 };

async function search(gateway: Gateway): Promise<Searched["attempts"]> {
  return (await (await gateway.post("/search", WEB)).json<Searched>()).attempts;
}

async function providers(gateway: Gateway): Promise<Record<string, ProviderBody>> {
  const { providers: list } = await (await gateway.fetch("/v1/providers")).json<{ providers: ProviderBody[] }>();
  return Object.fromEntries(list.map((provider) => [provider.id, provider]));
}

async function callsTo(gateway: Gateway, upstream: string): Promise<number> {
  return (await gateway.calls()).requests.filter((call) => call.upstream === upstream).length;
}

describe("a provider that refuses", () => {
  it("is left alone by the next request, which says why and until when", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "auth" });
    expect((await search(gateway))[0]).toMatchObject({ provider: "serpapi", class: "auth" });
    const [again] = await search(gateway);
    expect(again).toMatchObject({ provider: "serpapi", class: "skipped" });
    expect(again!.detail).toMatch(/^suspended until \d{4}-\d\d-\d\dT[\d:.]+Z \(auth\): /);
    expect(await callsTo(gateway, "serpapi")).toBe(1);
  });

  it("stands in the list of providers with reason and time", async () => {
    const gateway = new Gateway();
    await gateway.fault("serper", { class: "quota" });
    await gateway.fault("serpapi", { status: 503 });
    await gateway.fault("google-cse", { status: 503 });
    await search(gateway);
    const { serper, brave } = await providers(gateway);
    expect(serper).toMatchObject({ status: "suspended", accounts: [{ name: "serper" }] });
    expect(serper!.accounts[0]!.reason).toContain("(quota)");
    expect(Date.parse(serper!.accounts[0]!.suspended_until!)).toBeGreaterThan(Date.now());
    expect(brave).toMatchObject({ status: "ready", accounts: [{ suspended_until: null, reason: null }] });
  });

  it("is called again with another key", async () => {
    const gateway = new Gateway({ SERPAPI_API_KEY: "a-key-that-nobody-knows" });
    expect((await search(gateway))[0]).toMatchObject({ provider: "serpapi", class: "auth" });
    expect((await search(gateway))[0]).toMatchObject({ provider: "serpapi", class: "skipped" });
    gateway.variables["SERPAPI_API_KEY"] = TEST_KEYS.SERPAPI_API_KEY!;
    expect((await providers(gateway)).serpapi!.status).toBe("ready");
    expect((await search(gateway))[0]).toMatchObject({ provider: "serpapi", outcome: "hit" });
  });

  it("is suspended for one of its keys, not for the other", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "google-cse" });
    await gateway.fault("google-cse", { class: "quota", match: TEST_KEYS.GOOGLE_SEARCH_API_KEY_1! });
    await search(gateway);
    const attempts = await search(gateway);
    expect(attempts).toMatchObject([
      { provider: "google-cse", class: "skipped" },
      { provider: "google-cse#2", outcome: "hit" },
    ]);
    expect((await providers(gateway))["google-cse"]!.status).toBe("ready");
  });

  it("keeps its second key when the network is at fault, also while the first one is suspended for it", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "google-cse,searxng" });
    await gateway.fault("google-cse", { status: 503 });
    for (let failures = 0; failures < 3; failures++) {
      expect(await search(gateway)).toMatchObject([
        { provider: "google-cse", class: "transient" },
        { provider: "google-cse#2", class: "skipped" },
        { provider: "searxng", outcome: "hit" },
      ]);
    }
    const [first, second] = await search(gateway);
    expect([first, second]).toMatchObject([{ class: "skipped" }, { provider: "google-cse#2", class: "skipped" }]);
    expect(second!.detail).toContain("(transient)");
    expect(await callsTo(gateway, "google-cse")).toBe(3);
  });

  it("is called on when it breaks once", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { status: 503, times: 1 });
    expect((await search(gateway))[0]).toMatchObject({ class: "transient" });
    expect((await search(gateway))[0]).toMatchObject({ provider: "serpapi", outcome: "hit" });
  });
});

describe("an engine that fails for everyone", () => {
  it("is soon passed over, and no other engine of its account is", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient", match: "engine=google_reverse_image&" });
    const attempts = async () => {
      const response = await gateway.post("/v1/reverse-image", { image_url: "https://private.example/cat.jpg" });
      const { attempts: all } = await response.json<Searched>();
      return Object.fromEntries(all.map((attempt) => [attempt.provider.replace("serpapi:", ""), attempt]));
    };
    for (let failures = 0; failures < 3; failures++) {
      expect((await attempts()).google_reverse_image).toMatchObject({ class: "transient" });
    }
    const { google_reverse_image: broken, google_lens: lens, yandex_images: yandex } = await attempts();
    expect(broken).toMatchObject({ class: "skipped", detail: expect.stringContaining("(transient)") });
    expect([lens?.outcome, yandex?.outcome]).toEqual(["hit", "hit"]);
  });
});

describe("GET /v1/providers", () => {
  it("says what each offers and which settings it needs", async () => {
    const gateway = new Gateway({ BRAVE_API_KEY: "" });
    const list = await providers(gateway);
    expect(list.brave).toMatchObject({ status: "unconfigured", accounts: [], needs: [["BRAVE_API_KEY"]] });
    expect(list.wikimedia).toMatchObject({
      status: "ready",
      offers: ["licensed_images"],
      needs: [[]],
      limits: { slots: 3 },
    });
    expect(list["google-cse"]!.needs).toEqual(
      [
        ["GOOGLE_SEARCH_API_KEY_1", "GOOGLE_CSE_ID"],
        ["GOOGLE_SEARCH_API_KEY_2", "GOOGLE_CSE_ID"],
      ].map((settings) => expect.arrayContaining(settings)),
    );
  });

  it("shows no key and no fingerprint of one", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "auth" });
    await search(gateway);
    const text = await (await gateway.fetch("/v1/providers")).text();
    for (const value of Object.values(TEST_KEYS)) {
      expect(text).not.toContain(value);
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value));
      expect(text).not.toContain(new Uint8Array(digest).toHex().slice(0, 8));
    }
  });

  it.each([
    ["search", 200],
    ["admin", 200],
    ["images", 403],
  ])("answers a key with the scope %s with %i", async (scope, status) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("the-callers-key"));
    const keys = [{ sha256: new Uint8Array(digest).toHex(), tenant: "t", scopes: [scope] }];
    const gateway = new Gateway({ API_KEYS: JSON.stringify(keys) });
    const response = await gateway.fetch("/v1/providers", { headers: { authorization: "Bearer the-callers-key" } });
    expect(response.status).toBe(status);
  });
});

describe("slots", () => {
  it("keep eight acquisitions at once from having more than three requests at Wikimedia", async () => {
    const gateway = new Gateway();
    await gateway.fault("wikimedia", { latencyMs: 40 });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        gateway.post(`/v1/projects/slots-${index}/images`, {
          filename: "airplane.jpg",
          query: "airplane from above",
          provider: "wikimedia",
        }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const { requests } = (await gateway.calls()) as unknown as { requests: LoggedCall[] };
    const calls = requests.filter((call) => call.upstream === "wikimedia" && call.path === "/w/api.php");
    expect(calls.length).toBeGreaterThanOrEqual(8);
    expect(mostAtOnce(calls)).toBe(3);
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
  });

  it("are counted by the object over all that ask, and come back by themselves", async () => {
    const object = env.PROVIDER_HEALTH.getByName("slots");
    const now = 1_800_000_000_000;
    const leases = [];
    for (let index = 0; index < 3; index++) leases.push((await object.acquireSlot("wikimedia", 3, now)).lease);
    expect(new Set(leases).size).toBe(3);
    expect(await object.acquireSlot("wikimedia", 3, now)).toEqual({});
    await object.releaseSlot(leases[0]!);
    expect((await object.acquireSlot("wikimedia", 3, now)).lease).toBeTypeOf("string");
    expect((await object.acquireSlot("wikimedia", 3, now + 60_000)).lease).toBeTypeOf("string");
  });
});

interface LoggedCall {
  readonly upstream: string;
  readonly path: string;
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

function mostAtOnce(calls: readonly LoggedCall[]): number {
  return Math.max(
    ...calls.map(
      ({ startedAt }) => calls.filter((other) => other.startedAt <= startedAt && startedAt < other.endedAt).length,
    ),
  );
}
