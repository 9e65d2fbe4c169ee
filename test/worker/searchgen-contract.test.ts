import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

const WEB = { search_type: "web", query: "cat", page: 1, num: 10 };
const IMAGE = { search_type: "image", query: "cat", page: 1, num: 10 };
const KEY = "sk-live-0123456789abcdef";
const KEY_SHA256 = "8ce3ae8a5d39b9e49bd6b7d2da5a2ec3ec9a3ce6e1dd5a3c1e7d4b9a5f0a7c11";

interface Failure {
  success: boolean;
  message: string;
  results: unknown[];
  code: string;
  status: number;
  errors?: { pointer: string; detail: string }[];
  attempts?: { provider: string; class?: string; outcome: string; detail?: string }[];
}

async function failure(response: Response): Promise<Failure> {
  const body = await response.json<Failure>();
  expect(body).toMatchObject({ success: false, results: [], status: response.status });
  expect(body.message).not.toBe("");
  return body;
}

describe("bad input to POST /search", () => {
  const gateway = new Gateway();

  it.each([
    ["an unknown search_type", { ...WEB, search_type: "video" }, "/search_type"],
    ["a missing query", { search_type: "web" }, "/query"],
    ["an empty query", { ...WEB, query: "  " }, "/query"],
    ["a query that is no string", { ...WEB, query: 7 }, "/query"],
    ["num below 1", { ...WEB, num: 0 }, "/num"],
    ["num over 100", { ...WEB, num: 101 }, "/num"],
    ["a num that is no integer", { ...WEB, num: 2.5 }, "/num"],
    ["a page below 1", { ...WEB, page: 0 }, "/page"],
    ["a list instead of an object", [], ""],
  ])("answers %s with 400 and a pointer", async (_, body, pointer) => {
    const response = await gateway.post("/search", body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    const problem = await failure(response);
    expect(problem.code).toBe("invalid-request");
    expect(problem.errors?.map((each) => each.pointer)).toContain(pointer);
  });

  it("answers what is not JSON with 400, another type with 415, a large body with 413", async () => {
    const notJson = await gateway.post("/search", "{");
    expect([notJson.status, (await failure(notJson)).code]).toEqual([400, "not-json"]);
    const text = await gateway.post("/search", WEB, { "content-type": "text/plain" });
    expect([text.status, (await failure(text)).code]).toEqual([415, "unsupported-media-type"]);
    const large = await gateway.post("/search", { ...WEB, padding: "x".repeat(70_000) });
    expect([large.status, (await failure(large)).code]).toEqual([413, "body-too-large"]);
  });

  it("asks no provider", async () => {
    expect((await gateway.calls()).requests).toEqual([]);
  });
});

describe("the address of POST /search", () => {
  it("answers at /search/ as well, without a redirect", async () => {
    const response = await new Gateway().post("/search/", WEB);
    expect(response.status).toBe(200);
    expect((await response.json<{ results: unknown[] }>()).results).toHaveLength(10);
  });

  it("answers GET with 405 and what is allowed", async () => {
    for (const path of ["/search", "/search/"]) {
      const response = await new Gateway().fetch(path);
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
      await failure(response);
    }
  });
});

describe("keys", () => {
  const keyed = async () => {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(KEY))).toHex();
    return new Gateway({
      LOCAL_TENANT: "",
      API_KEYS: JSON.stringify([{ sha256: digest, tenant: "acme", scopes: ["search"] }]),
    });
  };

  it("lets Bearer, Basic and ?key= in", async () => {
    const gateway = await keyed();
    const basic = (pair: string) => ({ authorization: `Basic ${btoa(pair)}` });
    for (const headers of [{ authorization: `Bearer ${KEY}` }, basic(`any:${KEY}`), basic(`${KEY}:`)]) {
      expect((await gateway.post("/search", WEB, headers)).status).toBe(200);
    }
    expect((await gateway.post(`/search?key=${KEY}`, WEB)).status).toBe(200);
  });

  it("keeps a missing, a wrong and a weak key out before any provider is asked", async () => {
    const gateway = await keyed();
    const attempts: Record<string, string>[] = [
      {},
      { authorization: "Bearer nope" },
      { authorization: "Basic %%%" },
      { authorization: "x" },
    ];
    for (const headers of attempts) {
      const response = await gateway.post("/search", WEB, headers);
      expect([response.status, (await failure(response)).code]).toEqual([401, "unauthorized"]);
    }
    const images = await gateway.post("/v1/projects/p/images", {}, { authorization: `Bearer ${KEY}` });
    expect(images.status).toBe(403);
    expect((await gateway.calls()).requests).toEqual([]);
  });

  it("names the missing setting of a deployment without keys", async () => {
    const response = await new Gateway({ LOCAL_TENANT: "" }).post("/search", WEB);
    expect(response.status).toBe(401);
    expect((await failure(response)).message).toContain("API_KEYS");
  });

  it("names a broken setting without its value", async () => {
    const response = await new Gateway({ API_KEYS: `[{"sha256":"${KEY_SHA256.slice(1)}"}]` }).post("/search", WEB);
    const problem = await failure(response);
    expect([response.status, problem.code]).toEqual([503, "misconfigured"]);
    expect(problem.message).toContain("API_KEYS");
    expect(problem.message).not.toContain(KEY_SHA256.slice(1));
  });
});

describe("what the chain found", () => {
  it("answers nothing found with success and no results", async () => {
    const gateway = new Gateway();
    const response = await gateway.post("/search", { ...WEB, query: "zzqqxxyy" });
    expect(response.status).toBe(200);
    const body = await response.json<{
      success: boolean;
      results: unknown[];
      attempts: { outcome: string; class?: string }[];
    }>();
    expect(body).toMatchObject({ success: true, results: [] });
    const called = body.attempts.filter((attempt) => attempt.class !== "skipped");
    expect(new Set(called.map((attempt) => attempt.outcome))).toEqual(new Set(["empty"]));
  });

  it.each(["web", "image"])("answers 502 with every reason when every %s step fails", async (kind) => {
    const gateway = new Gateway();
    const upstreams = [
      "serpapi",
      "google-cse",
      "serper",
      "brave",
      "searxng",
      "wikipedia",
      "pexels",
      "pixabay",
      "openverse",
      "wikimedia",
    ];
    for (const upstream of upstreams) await gateway.fault(upstream, { class: "transient" });
    const response = await gateway.post("/search", { ...WEB, search_type: kind });
    expect(response.status).toBe(502);
    const problem = await failure(response);
    expect(problem.code).toBe("providers-failed");
    // A second key of the same account is not spent on a provider that is out of order.
    const called = (problem.attempts ?? []).filter((attempt) => attempt.provider !== "google-cse#2");
    expect(called.length).toBeGreaterThanOrEqual(6);
    for (const attempt of called) expect(attempt).toMatchObject({ outcome: "failed", class: "transient" });
    expect(response.headers.get("server-timing")).toContain("serpapi;dur=");
  });

  it("says when nothing was found but not everybody could be asked", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "rate" });
    const response = await gateway.post("/search", { ...WEB, query: "zzqqxxyy" });
    expect(await response.json()).toMatchObject({ success: true, results: [], degraded: true });
  });

  it("skips steps without their key and says so", async () => {
    const gateway = new Gateway({ SERPAPI_API_KEY: "", GOOGLE_SEARCH_API_KEY_1: "", GOOGLE_SEARCH_API_KEY_2: "" });
    const body = await (await gateway.post("/search", WEB)).json<Failure>();
    expect(body.attempts?.[0]).toMatchObject({ provider: "serpapi", class: "skipped" });
    expect(body.attempts?.[0]?.detail).toContain("SERPAPI_API_KEY");
    expect(body.attempts?.[1]).toMatchObject({ provider: "google-cse", class: "skipped" });
    expect(body.attempts?.[2]).toMatchObject({ provider: "serper", outcome: "hit" });
  });

  it("walks the chain that is configured, in its order", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "wikipedia, brave" });
    expect(await (await gateway.post("/search", WEB)).json()).toMatchObject({ provider: "wikipedia" });
    const broken = await new Gateway({ WEB_CHAIN: "bing" }).post("/search", WEB);
    expect((await failure(broken)).message).toContain("serpapi, google-cse, serper, brave, searxng, wikipedia");
  });

  it("counts positions over the pages", async () => {
    const gateway = new Gateway();
    const second = await (
      await gateway.post("/search", { ...WEB, page: 2, num: 5 })
    ).json<{ results: { position: number; link: string }[] }>();
    expect(second.results.map((row) => row.position)).toEqual([6, 7, 8, 9, 10]);
    const first = await (
      await gateway.post("/search", { ...WEB, page: 1, num: 5 })
    ).json<{ results: { link: string }[] }>();
    const links = new Set(first.results.map((row) => row.link));
    expect(second.results.some((row) => links.has(row.link))).toBe(false);
  });

  it("takes queries longer than any provider does", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "brave" });
    const response = await gateway.post("/search", { ...WEB, query: `cat ${"whiskers ".repeat(300)}` });
    expect(response.status).toBe(200);
  });

  it("does not pass a country on that a provider does not know", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "brave" });
    const response = await gateway.post("/search", { ...WEB, country: "vn", locale: "vi" });
    expect((await response.json<{ results: unknown[] }>()).results).toHaveLength(10);
  });
});

describe("images that are dead", () => {
  it("leaves them out and puts those that load first", async () => {
    const gateway = new Gateway();
    const before = await (await gateway.post("/search", IMAGE)).json<{ results: { imageUrl: string }[] }>();
    const host = new URL(before.results[0]!.imageUrl).host;
    await gateway.fault(`images:${host}`, { html: true });
    const after = await (await gateway.post("/search", IMAGE)).json<{ results: { imageUrl: string }[] }>();
    expect(after.results.length).toBeGreaterThanOrEqual(2);
    expect(after.results.map((row) => new URL(row.imageUrl).host)).not.toContain(host);
  });

  it("asks the next provider when fewer than two load", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", {
      status: 200,
      body: JSON.stringify({
        search_metadata: { status: "Success" },
        images_results: [{ title: "Gone", original: "https://dead.example/1.jpg", link: "https://dead.example/" }],
      }),
    });
    const body = await (
      await gateway.post("/search", IMAGE)
    ).json<Omit<Failure, "results"> & { results: { imageUrl: string }[] }>();
    expect(body.attempts?.map((attempt) => attempt.provider)).toEqual(["serpapi", "serper"]);
    expect(body.results.length).toBeGreaterThanOrEqual(9);
    expect(body.results.map((row) => row.imageUrl)).not.toContain("https://dead.example/1.jpg");
  });

  it("never waits for more than six hosts at once", async () => {
    const gateway = new Gateway();
    await gateway.fault("images", { latencyMs: 30 });
    await gateway.post("/search", IMAGE);
    expect((await gateway.calls()).peakInFlight).toBeLessThanOrEqual(6);
  });
});

describe("the mirror", () => {
  it("says which setting is missing", async () => {
    const response = await new Gateway({ SEARCH_MIRROR: "on", SIGNING_SECRET: "" }).post("/search", IMAGE);
    const problem = await failure(response);
    expect([problem.code, problem.message.includes("SIGNING_SECRET")]).toEqual(["misconfigured", true]);
  });

  it("gives one picture once, at its best place, wherever else it lies", async () => {
    const [one, other] = (
      await (await new Gateway().post("/search", IMAGE)).json<{ results: { imageUrl: string }[] }>()
    ).results;
    const gateway = new Gateway({ SEARCH_MIRROR: "on" });
    const found = [one!.imageUrl, other!.imageUrl, `${one!.imageUrl}?copy`].map((original, index) => ({
      title: `Cat ${index + 1}`,
      original,
      link: "https://dailylens.example/",
    }));
    const body = JSON.stringify({ search_metadata: { status: "Success" }, images_results: found });
    await gateway.fault("serpapi", { status: 200, body });
    const answer = await (await gateway.post("/search", IMAGE)).json<{ results: { title: string }[] }>();
    expect(answer.results.map((row) => row.title)).toEqual(["Cat 1", "Cat 2"]);
  });

  it("serves an image with its type and no content-encoding, for a year and not after a change of the link", async () => {
    const gateway = new Gateway({ SEARCH_MIRROR: "on" });
    const body = await (await gateway.post("/search", IMAGE)).json<{ results: { imageUrl: string }[] }>();
    const url = body.results[0]!.imageUrl;
    const response = await gateway.fetch(url, { headers: { "accept-encoding": "br, gzip", accept: "image/avif,*/*" } });
    expect([response.status, response.headers.get("content-encoding")]).toEqual([200, null]);
    expect(response.headers.get("content-type")).toMatch(/^image\/(jpeg|png|webp|gif)$/);
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const token = new URL(url).pathname.split("/")[2]!;
    const [payload] = token.split(".");
    const [, , , expires] = JSON.parse(
      new TextDecoder().decode(Uint8Array.fromBase64(payload!, { alphabet: "base64url" })),
    );
    expect(expires - Date.now() / 1000).toBeGreaterThan(364 * 86_400);
    const forged = btoa(JSON.stringify(["other", "tenants/other/objects/x", ["read"], 99_999_999_999])).replaceAll(
      "=",
      "",
    );
    const changed = await gateway.fetch(url.replace(payload!, forged));
    expect(changed.status).toBe(403);
    const rotated = new Gateway({
      SIGNING_SECRET: "another-secret-that-is-long-enough-now",
      SIGNING_SECRET_PREVIOUS: gateway.variables["SIGNING_SECRET"]!,
    });
    expect((await rotated.fetch(url)).status).toBe(200);
    const forgotten = new Gateway({ SIGNING_SECRET: "another-secret-that-is-long-enough-now" });
    expect((await forgotten.fetch(url)).status).toBe(403);
  });
});

describe("what is written down", () => {
  it("is one JSON line a request, without the query string", async () => {
    const gateway = new Gateway();
    await gateway.post("/search?key=some-key-of-a-caller", WEB);
    expect(gateway.log).toHaveLength(1);
    const line = JSON.parse(gateway.log[0]!);
    expect(line).toMatchObject({ level: "info", method: "POST", route: "/search", status: 200, tenant: "local" });
    expect(line.attempts[0]).toMatchObject({ provider: "serpapi", outcome: "hit" });
    expect(gateway.log[0]).not.toContain("some-key-of-a-caller");
  });
});
