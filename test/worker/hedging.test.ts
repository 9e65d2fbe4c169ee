import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

interface Attempt {
  readonly provider: string;
  readonly outcome: string;
  readonly class?: string;
  readonly detail?: string;
  readonly ms: number;
  readonly hedged?: true;
}

/** SearXNG costs nothing, so nothing limits hedges into it. */
const FREE = { WEB_CHAIN: "serpapi,searxng", HEDGE_AFTER_MS: "100" };
const PAID = { WEB_CHAIN: "serpapi,serper", HEDGE_AFTER_MS: "100" };

async function search(gateway: Gateway): Promise<{ results: unknown[]; attempts: Attempt[] }> {
  const response = await gateway.post("/search", { search_type: "web", query: "cat", num: 5 });
  return response.json();
}

describe("a provider that hangs", () => {
  it("is not waited for: the next one answers, and the call that lost is ended upstream", async () => {
    const gateway = new Gateway(FREE);
    await gateway.fault("serpapi", { hang: true });
    const { results, attempts } = await search(gateway);
    expect(results).toHaveLength(5);
    expect(attempts).toMatchObject([
      { provider: "serpapi", outcome: "failed", class: "skipped", detail: "ended: searxng answered first" },
      { provider: "searxng", outcome: "hit", hedged: true },
    ]);
    // Its own limit is 8 s and more.
    expect(attempts[0]!.ms).toBeLessThan(4_000);
    expect(attempts[0]).not.toHaveProperty("hedged");
    const calls = (await gateway.calls()).requests.filter(({ upstream }) => upstream === "serpapi");
    expect(calls).toMatchObject([{ aborted: true }]);
  });

  it("is not suspended for losing, however often it does", async () => {
    const gateway = new Gateway(FREE);
    await gateway.fault("serpapi", { hang: true });
    for (let times = 0; times < 4; times++) await search(gateway);
    const { attempts } = await search(gateway);
    expect(attempts[0]!.detail).toBe("ended: searxng answered first");
  });

  it("is waited for where hedging is switched off", async () => {
    const gateway = new Gateway({ ...FREE, HEDGE_AFTER_MS: "off" });
    await gateway.fault("serpapi", { latencyMs: 1_500 });
    const { attempts } = await search(gateway);
    expect(attempts).toMatchObject([{ provider: "serpapi", outcome: "hit" }]);
  });
});

it("a provider that is merely slow still wins against one that has nothing", async () => {
  const gateway = new Gateway(FREE);
  await gateway.fault("serpapi", { latencyMs: 1_500 });
  await gateway.fault("searxng", { class: "empty" });
  const { attempts } = await search(gateway);
  expect(attempts).toMatchObject([
    { provider: "serpapi", outcome: "hit" },
    { provider: "searxng", outcome: "empty", hedged: true },
  ]);
});

it("a slow day is no surprise bill: of the first requests only one asks a second provider that costs money", async () => {
  const gateway = new Gateway(PAID);
  await gateway.fault("serpapi", { latencyMs: 800 });
  for (let times = 0; times < 3; times++) await search(gateway);
  const calls = (await gateway.calls()).requests.filter(({ upstream }) => upstream === "serper");
  expect(calls).toHaveLength(1);
});

it("counts a hedge against the tenant's calls of the day", async () => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("k"));
  const key = { sha256: new Uint8Array(digest).toHex(), tenant: "hedger", limits: { upstream_per_day: 1 } };
  const gateway = new Gateway({ ...FREE, LOCAL_TENANT: "", API_KEYS: JSON.stringify([key]) });
  await gateway.fault("serpapi", { latencyMs: 1_500 });
  const response = await gateway.post(
    "/search",
    { search_type: "web", query: "cat", num: 5 },
    { authorization: "Bearer k" },
  );
  const { attempts } = await response.json<{ attempts: Attempt[] }>();
  expect(attempts).toMatchObject([
    { provider: "serpapi", outcome: "hit" },
    { provider: "searxng", class: "skipped", hedged: true, detail: expect.stringContaining("used up") },
  ]);
});

describe("the provider-health object", () => {
  /** A deployment with a clock that stands still, and the calls that it makes to the object. */
  function watched(variables: Record<string, string> = {}) {
    const clock = { at: Date.parse("2026-11-20T08:00:00Z"), now: () => clock.at };
    const calls: string[] = [];
    const counting = {
      getByName: (name: string) => {
        const object = env.PROVIDER_HEALTH.getByName(name);
        return {
          snapshot: () => (calls.push("snapshot"), object.snapshot()),
          report: (...all: Parameters<typeof object.report>) => (calls.push("report"), object.report(...all)),
          claimProbe: (...all: Parameters<typeof object.claimProbe>) => (
            calls.push("claim"),
            object.claimProbe(...all)
          ),
        };
      },
    };
    return { clock, calls, gateway: new Gateway(variables, { clock, bindings: { PROVIDER_HEALTH: counting } }) };
  }

  it("is asked once a second and isolate, by all uncached requests that need no slot", async () => {
    const { clock, calls, gateway } = watched();
    for (let times = 0; times < 4; times++) {
      expect((await search(gateway)).attempts).toMatchObject([{ provider: "serpapi", outcome: "hit" }]);
    }
    expect(calls).toEqual(["snapshot"]);
    clock.at += 1_100;
    for (let times = 0; times < 2; times++) await search(gateway);
    // The same call takes along how long the answers took.
    expect(calls).toEqual(["snapshot", "report"]);
  });

  it("lets one request try a provider whose suspension is over; the others go past it", async () => {
    const { clock, calls, gateway } = watched({ WEB_CHAIN: "serpapi,searxng" });
    await gateway.fault("serpapi", { class: "auth", times: 1 });
    await search(gateway);
    clock.at += 3 * 3_600_000;
    await gateway.fault("serpapi", { latencyMs: 700 });
    const searches = await Promise.all(Array.from({ length: 4 }, () => search(gateway)));
    const heads = searches.map(({ attempts }) => attempts[0]!);
    expect(heads.filter(({ outcome }) => outcome === "hit")).toHaveLength(1);
    for (const head of heads.filter(({ outcome }) => outcome !== "hit")) {
      expect(head).toMatchObject({ provider: "serpapi", class: "skipped" });
      expect(head.detail).toContain("another request is trying it");
    }
    expect((await search(gateway)).attempts[0]).toMatchObject({ provider: "serpapi", outcome: "hit" });
    expect(calls.filter((call) => call === "claim").length).toBeGreaterThanOrEqual(1);
  });

  it("gives the try to one caller, over all that ask it", async () => {
    const object = env.PROVIDER_HEALTH.getByName("probe");
    const at = 1_800_000_000_000;
    const call = { step: "serper", key: "aaaaaaaa", at, ms: 10, random: 0 };
    const failure = { kind: "failed", class: "blocked", detail: "captcha", status: 403 } as const;
    await object.report([{ ...call, failure }], []);
    const claim = { step: "serper", key: "aaaaaaaa", limitMs: 8_000 };
    expect(await object.claimProbe({ ...claim, at: at + 1_000 })).toMatchObject({ granted: false });
    const later = at + 3_600_000;
    const answers = [];
    for (let index = 0; index < 4; index++) answers.push(await object.claimProbe({ ...claim, at: later }));
    expect(answers.map(({ granted }) => granted)).toEqual([true, false, false, false]);
    expect(await object.claimProbe({ ...claim, at: later + 8_000 })).toMatchObject({ granted: true });
    await object.report([{ ...call, at: later + 8_100 }], []);
    expect((await object.snapshot()).steps).toEqual({});
    expect(await object.claimProbe({ ...claim, at: later + 9_000 })).toMatchObject({ granted: true });
  });

  it("tells how fast providers answer", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { latencyMs: 120 });
    for (let times = 0; times < 3; times++) await search(gateway);
    const response = await gateway.fetch("/v1/providers");
    const { providers } = await response.json<{ providers: { id: string; latency_ms: unknown }[] }>();
    const latencyOf = (id: string) => providers.find((provider) => provider.id === id)!.latency_ms;
    expect(latencyOf("serpapi")).toMatchObject({ samples: 3 });
    const { p50, p95 } = latencyOf("serpapi") as { p50: number; p95: number };
    expect(p50).toBeGreaterThanOrEqual(100);
    expect(p95).toBeGreaterThanOrEqual(p50);
    expect(latencyOf("brave")).toBeNull();
  });
});
