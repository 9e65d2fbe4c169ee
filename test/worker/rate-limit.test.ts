import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../routes/app.ts";
import { apiKeys, type TestKey } from "./api-keys.ts";
import { Gateway } from "./gateway.ts";

const NOON = Date.UTC(2026, 5, 1, 12);
const LIST = "/v1/projects/p/images";
const RATED = { per_minute: 60, burst: 3 };

let tenants = 0;

/** A tenant that nobody else has: the limiters of one test file share their storage. */
function tenantWith(limits: TestKey["limits"]): TestKey {
  const tenant = `t${++tenants}`;
  return { key: `key-of-${tenant}`, tenant, ...(limits === undefined ? {} : { limits }) };
}

/** A deployment with a clock of its own. Each `App` is an isolate; the limiters are everybody's. */
class Deployment {
  now = NOON;
  readonly gateway: Gateway;
  readonly #apps = [createApp({ now: () => this.now }), createApp({ now: () => this.now })];
  readonly #bindings: Record<string, unknown>;

  constructor(keys: string, bindings: Record<string, unknown> = {}) {
    this.gateway = new Gateway({ LOCAL_TENANT: "", API_KEYS: keys, WEB_CHAIN: "serpapi,serper" });
    this.#bindings = { ...env, ...this.gateway.variables, ...bindings };
  }

  async fetch(path: string, key: string, init: RequestInit = {}, isolate = 0): Promise<Response> {
    const context = createExecutionContext();
    const request = new Request(`https://sluice.test${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    const response = await this.#apps[isolate]!.fetch(request, this.#bindings as unknown as Env, context);
    await waitOnExecutionContext(context);
    return response;
  }

  search(key: string, isolate = 0): Promise<Response> {
    const body = JSON.stringify({ search_type: "web", query: "cat" });
    return this.fetch("/search", key, { method: "POST", body }, isolate);
  }

  async statuses(key: string, count: number): Promise<number[]> {
    const statuses = [];
    for (let index = 0; index < count; index++) statuses.push((await this.fetch(LIST, key)).status);
    return statuses;
  }
}

let lines: string[] = [];

beforeEach(() => {
  lines = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("a key with a rate", () => {
  it("is told on every answer how it stands", async () => {
    const tenant = tenantWith(RATED);
    const deployment = new Deployment(await apiKeys(tenant));
    const first = await deployment.fetch(LIST, tenant.key);
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=3;w=3');
    expect(first.headers.get("ratelimit")).toBe('"default";r=2;t=1');
    const missing = await deployment.fetch(`${LIST}/none.jpg`, tenant.key);
    expect([missing.status, missing.headers.get("ratelimit")]).toEqual([404, '"default";r=1;t=1']);
    const file = await deployment.fetch("/v1/projects/p/files/image_sources.json", tenant.key);
    expect([file.status, file.headers.get("ratelimit")]).toEqual([200, '"default";r=0;t=1']);
  });

  it("gets 429 as a problem once its burst is used, with the seconds to wait", async () => {
    const tenant = tenantWith({ per_minute: 20, burst: 2 });
    const deployment = new Deployment(await apiKeys(tenant));
    expect(await deployment.statuses(tenant.key, 2)).toEqual([200, 200]);
    const refused = await deployment.fetch(LIST, tenant.key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toContain("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(refused.headers.get("ratelimit-policy")).toBe('"default";q=2;w=6');
    expect(refused.headers.get("ratelimit")).toBe('"default";r=0;t=3');
    expect(await refused.json()).toMatchObject({ code: "rate-limited", status: 429 });
  });

  it("gets its requests back with time", async () => {
    const tenant = tenantWith(RATED);
    const deployment = new Deployment(await apiKeys(tenant));
    expect(await deployment.statuses(tenant.key, 4)).toEqual([200, 200, 200, 429]);
    deployment.now += 999;
    expect(await deployment.statuses(tenant.key, 1)).toEqual([429]);
    deployment.now += 1;
    expect(await deployment.statuses(tenant.key, 2)).toEqual([200, 429]);
    deployment.now += 60_000;
    expect(await deployment.statuses(tenant.key, 4)).toEqual([200, 200, 200, 429]);
  });

  it("gets no more than its burst when all requests come at the same time", async () => {
    const tenant = tenantWith(RATED);
    const deployment = new Deployment(await apiKeys(tenant));
    const requests = Array.from({ length: 10 }, (_, index) => deployment.fetch(LIST, tenant.key, {}, index % 2));
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  it("has one rate over all isolates", async () => {
    const tenant = tenantWith(RATED);
    const deployment = new Deployment(await apiKeys(tenant));
    const statuses = [];
    for (const isolate of [0, 1, 0, 1, 0, 1]) {
      statuses.push((await deployment.fetch(LIST, tenant.key, {}, isolate)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it("is not slowed by another tenant, nor by another key of its own", async () => {
    const one = tenantWith(RATED);
    const other = tenantWith(RATED);
    const second: TestKey = { ...one, key: "second-key" };
    const deployment = new Deployment(await apiKeys(one, other, second));
    expect(await deployment.statuses(one.key, 4)).toEqual([200, 200, 200, 429]);
    expect(await deployment.statuses(other.key, 4)).toEqual([200, 200, 200, 429]);
    expect(await deployment.statuses(second.key, 4)).toEqual([200, 200, 200, 429]);
  });

  it("is limited at SearchGen's endpoint in SearchGen's shape", async () => {
    const tenant = tenantWith({ per_minute: 1 });
    const deployment = new Deployment(await apiKeys(tenant));
    expect((await deployment.search(tenant.key)).status).toBe(200);
    const refused = await deployment.search(tenant.key);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect(await refused.json()).toMatchObject({ success: false, results: [], code: "rate-limited" });
  });
});

describe("the limiter", () => {
  const broken = {
    RATE_LIMITERS: {
      getByName: () => {
        lines.push("asked");
        throw new Error("no such object");
      },
    },
  };

  it("is not asked for a key without limits", async () => {
    const tenant = tenantWith(undefined);
    const deployment = new Deployment(await apiKeys(tenant), broken);
    const response = await deployment.fetch(LIST, tenant.key);
    expect([response.status, response.headers.get("ratelimit")]).toEqual([200, null]);
    expect(lines).not.toContain("asked");
  });

  it("lets requests through when it cannot be reached, says so in the log, and is spared for a while", async () => {
    const tenant = tenantWith({ ...RATED, upstream_per_day: 5 });
    const deployment = new Deployment(await apiKeys(tenant), broken);
    expect(await deployment.statuses(tenant.key, 5)).toEqual([200, 200, 200, 200, 200]);
    const asked = () => lines.filter((line) => line === "asked").length;
    const logged = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    expect(logged.map(({ limiter }) => limiter)).toEqual(Array(5).fill("unreachable"));
    expect(asked()).toBe(1);
    deployment.now += 5_000;
    await deployment.fetch(LIST, tenant.key);
    expect(asked()).toBe(2);
  });

  it("does not keep a request waiting when it hangs", async () => {
    const tenant = tenantWith(RATED);
    const hanging = { RATE_LIMITERS: { getByName: () => ({ lease: () => new Promise(() => {}) }) } };
    const deployment = new Deployment(await apiKeys(tenant), hanging);
    expect((await deployment.fetch(LIST, tenant.key)).status).toBe(200);
  });
});

interface Answer {
  provider?: string;
  attempts: { provider: string; class?: string; detail?: string }[];
}

describe("the daily budget of provider calls", () => {
  it("skips providers once it is used up, and names the time at which it begins anew", async () => {
    const tenant = tenantWith({ upstream_per_day: 2 });
    const deployment = new Deployment(await apiKeys(tenant));
    expect((await deployment.search(tenant.key)).status).toBe(200);
    expect((await deployment.search(tenant.key)).status).toBe(200);
    const spent = await deployment.search(tenant.key);
    expect(spent.status).toBe(502);
    const { attempts } = await spent.json<Answer>();
    expect(attempts.map((attempt) => attempt.class)).toEqual(["skipped", "skipped"]);
    expect(attempts[0]!.detail).toContain("2026-06-02T00:00:00.000Z");
    expect((await deployment.gateway.calls()).requests).toHaveLength(2);
    deployment.now = Date.UTC(2026, 5, 2);
    expect((await deployment.search(tenant.key)).status).toBe(200);
  });

  it("counts every call of a request, also those that fail", async () => {
    const tenant = tenantWith({ upstream_per_day: 3 });
    const deployment = new Deployment(await apiKeys(tenant));
    await deployment.gateway.fault("serpapi", { class: "transient" });
    expect((await (await deployment.search(tenant.key)).json<Answer>()).provider).toBe("serper");
    expect((await deployment.search(tenant.key)).status).not.toBe(429);
    await deployment.search(tenant.key);
    expect((await deployment.gateway.calls()).requests).toHaveLength(3);
  });

  it("is one budget for all isolates and all keys of the tenant", async () => {
    const tenant = tenantWith({ upstream_per_day: 2 });
    const second: TestKey = { ...tenant, key: `${tenant.key}-second` };
    const deployment = new Deployment(await apiKeys(tenant, second));
    expect((await deployment.search(tenant.key, 0)).status).toBe(200);
    expect((await deployment.search(second.key, 1)).status).toBe(200);
    deployment.now += 2_000;
    expect((await deployment.search(tenant.key, 0)).status).toBe(502);
    expect((await deployment.search(second.key, 1)).status).toBe(502);
  });

  it("is not another tenant's", async () => {
    const one = tenantWith({ upstream_per_day: 1 });
    const other = tenantWith({ upstream_per_day: 1 });
    const deployment = new Deployment(await apiKeys(one, other));
    const statuses = [];
    for (const { key } of [one, one, other]) statuses.push((await deployment.search(key)).status);
    expect(statuses).toEqual([200, 502, 200]);
  });

  it("leaves what needs no provider alone", async () => {
    const tenant = tenantWith({ upstream_per_day: 1 });
    const deployment = new Deployment(await apiKeys(tenant));
    await deployment.search(tenant.key);
    expect(await deployment.statuses(tenant.key, 3)).toEqual([200, 200, 200]);
  });
});
