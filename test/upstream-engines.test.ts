import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imgbbUpload } from "../src/providers/imgbb.ts";
import { providerById } from "../src/providers/registry.ts";
import { isSilentlyEmpty } from "../src/providers/serpapi/reverse.ts";
import type { Outcome } from "../src/cascade/outcome.ts";
import type { Capability, ReverseImageQuery, SearchQuery } from "../src/providers/types.ts";
import { WEB_IMAGES } from "./upstreams/catalogue/web-images.ts";
import { TEST_KEYS } from "./upstreams/keys.ts";
import { startUpstreams, type Upstreams } from "./upstreams/server.ts";

let upstreams: Upstreams;
beforeAll(async () => {
  upstreams = await startUpstreams({ port: 0 });
});
afterAll(() => upstreams.close());

const serpapi = providerById("serpapi")!;
const saucenao = providerById("saucenao")!;
const github = providerById("github")!;
const serpKey = { key: TEST_KEYS.SERPAPI_API_KEY! };
const cat: SearchQuery = { query: "cat", page: 1, num: 10, safe: true, country: "de", locale: "de-DE" };
const known = WEB_IMAGES.find(({ picture }) => picture.photograph === "boats");
const boats: ReverseImageQuery = { imageUrl: known!.imageUrl, country: "us", locale: "en" };

/** What our own reader makes of the simulator's answer to our own request. */
async function ask<Q, R>(
  scope: string,
  capability: Capability<Q, R>,
  query: Q,
  credentials: Record<string, string>,
): Promise<Outcome<R>> {
  const { url, method, headers, body } = capability.request(query, credentials);
  const response = await fetch(`${upstreams.url}/__scope/${scope}/${url.replace("https://", "")}`, {
    method: method ?? "GET",
    headers: { "user-agent": "Test/1.0 (https://test.example)", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const { status } = response;
  return capability.read(
    { status, headers: response.headers, body: await response.text(), receivedAt: Date.now() },
    query,
  );
}

async function resultsOf<R>(asked: Promise<Outcome<R>>): Promise<readonly R[]> {
  const outcome = await asked;
  if (outcome.kind === "hit") return outcome.results;
  throw new Error(outcome.kind === "failed" ? `${outcome.class}: ${outcome.detail}` : outcome.kind);
}

async function tell(scope: string, upstream: string, fault: unknown): Promise<void> {
  const address = `${upstreams.url}/__scope/${scope}/__faults/${upstream}`;
  expect((await fetch(address, { method: "PUT", body: JSON.stringify(fault) })).status).toBe(204);
}

describe("the simulator's engines", () => {
  it.each(Object.entries({ ...serpapi.webEngines, ...serpapi.imageEngines }))(
    "%s takes what we send and turns pages",
    async (_, capability: Capability<SearchQuery, { link: string; title: string }>) => {
      const page = (number: number) => resultsOf(ask("pages", capability, { ...cat, num: 5, page: number }, serpKey));
      const [one, two] = await Promise.all([page(1), page(2)]);
      expect(one).toHaveLength(5);
      const titles = [...one, ...two].map(({ link, title }) => `${link} ${title}`);
      expect(titles.length).toBeGreaterThanOrEqual(10);
      expect(new Set(titles).size).toBe(titles.length);
    },
  );

  it.each(Object.entries(serpapi.reverseEngines!))("%s finds pages that show the photograph", async (_, capability) => {
    const [finding] = await resultsOf(ask("reverse", capability, boats, serpKey));
    const pages = WEB_IMAGES.filter(({ picture }) => picture.photograph === "boats").map(({ pageUrl }) => pageUrl);
    expect(finding!.matches.length).toBeGreaterThanOrEqual(5);
    for (const { link } of finding!.matches) expect(pages).toContain(link);
  });

  it("say which pages have the very picture, and what it shows", async () => {
    const { google_lens: lens, bing_reverse_image: bing } = serpapi.reverseEngines!;
    for (const engine of [lens!, bing!]) {
      const [finding] = await resultsOf(ask("exact", engine, boats, serpKey));
      const exact = finding!.matches.filter((match) => match.exact);
      expect(exact.map(({ link }) => link)).toContain(known!.pageUrl);
      expect(exact.length).toBeLessThan(finding!.matches.length);
    }
    const [finding] = await resultsOf(ask("exact", lens!, boats, serpKey));
    expect(finding!.knowledge).toEqual({ title: "Nagasaki", description: "" });
  });

  it("can be silent, and can say that they have nothing", async () => {
    const lens = serpapi.reverseEngines!.google_lens!;
    await tell("silent", "serpapi", { case: "no-lists", match: "engine=google_lens", times: 1 });
    const silent = await ask("silent", lens, boats, serpKey);
    expect([silent.kind, isSilentlyEmpty(silent)]).toEqual(["empty", true]);
    expect((await ask("silent", lens, { ...boats, retry: true }, serpKey)).kind).toBe("hit");
    await tell("silent", "serpapi", { class: "empty" });
    const plain = await ask("silent", lens, boats, serpKey);
    expect([plain.kind, isSilentlyEmpty(plain)]).toEqual(["empty", false]);
  });

  it("cannot fetch what is on this machine", async () => {
    const here = { imageUrl: "http://127.0.0.1:8787/s/token/image.png" };
    expect((await ask("here", serpapi.reverseEngines!.google_lens!, here, serpKey)).kind).toBe("empty");
    const sauce = await ask("here", saucenao.reverseEngines!.saucenao!, here, { key: TEST_KEYS.SAUCENAO_API_KEY! });
    expect(sauce).toMatchObject({ kind: "failed", class: "bad-request" });
  });
});

describe("the simulator's SauceNAO", () => {
  const engine = saucenao.reverseEngines!.saucenao!;
  const key = { key: TEST_KEYS.SAUCENAO_API_KEY! };

  it("has strong, possible and weak matches", async () => {
    const [finding] = await resultsOf(ask("sauce", engine, boats, key));
    expect(finding!.matches.map(({ similarity }) => Math.floor(similarity!))).toEqual([95, 82, 61, 34]);
    expect(finding!.matches.map(({ author }) => author)).toContain("studio north, studio south");
    expect(finding!.remaining!.long).toBeGreaterThan(0);
  });

  it("takes its own key, and so many searches in a minute", async () => {
    expect(await ask("sauce-key", engine, boats, { key: "wrong" })).toMatchObject({ class: "auth" });
    await fetch(`${upstreams.url}/__scope/sauce-key/__limits`, {
      method: "PUT",
      body: JSON.stringify({ saucenao: { perMinute: 1 } }),
    });
    expect((await ask("sauce-key", engine, boats, key)).kind).toBe("hit");
    expect(await ask("sauce-key", engine, boats, key)).toMatchObject({ class: "rate", retryAfterMs: 30_000 });
  });
});

describe("the simulator's GitHub", () => {
  it("finds repositories with and without a token, ten a minute without", async () => {
    const search = (scope: string, key?: string) =>
      ask(scope, github.repositories!, cat, key === undefined ? {} : { key });
    const [first] = await resultsOf(search("github", TEST_KEYS.GITHUB_TOKEN));
    expect(first).toMatchObject({ name: "feline-labs/cat", stars: 15_870, language: "Go" });
    expect(await search("github", "wrong")).toMatchObject({ class: "auth" });
    const outcomes = [];
    for (let call = 0; call < 11; call += 1) outcomes.push(await search("anonymous"));
    expect(outcomes.slice(0, 10).every(({ kind }) => kind === "hit")).toBe(true);
    expect(outcomes[10]).toMatchObject({ class: "rate" });
  });
});

describe("the simulator's ImgBB", () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const upload = (base64: string, key: string) => ask("imgbb", imgbbUpload, { base64, expiresIn: 300 }, { key });

  it("takes pictures and nothing else, with a key", async () => {
    const key = TEST_KEYS.IMGBB_API_KEY!;
    const [image] = await resultsOf(upload(pixel, key));
    expect(image!.url).toMatch(/^https:\/\/i\.ibb\.co\/\w+\/image\.png$/);
    expect(await upload("bm90IGEgcGljdHVyZQ==", key)).toMatchObject({ class: "bad-request" });
    expect(await upload(pixel, "wrong")).toMatchObject({ class: "auth" });
  });
});
