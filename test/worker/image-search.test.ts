import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

const PATH = "/v1/image-search";
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty"];
const CHAIN = ["serpapi", "serper", "brave", "searxng", "pexels", "pixabay", "openverse", "wikimedia"];
const LICENSED = ["pexels", "pixabay", "openverse", "wikimedia"];

interface Answer {
  results: {
    title: string;
    imageUrl: string;
    thumbnailUrl: string;
    width?: number;
    link: string;
    source: string;
    license?: { tier: string; name: string };
    author?: string;
    credit?: string;
  }[];
  provider?: string;
  engine?: string;
  degraded?: true;
  attempts: { provider: string; outcome: string; class?: string; kept: number }[];
  code?: string;
}

async function search(gateway: Gateway, body: Record<string, unknown>): Promise<{ status: number; answer: Answer }> {
  const response = await gateway.post(PATH, { query: "cat", ...body });
  return { status: response.status, answer: await response.json() };
}

describe("POST /v1/image-search", () => {
  it("answers rows in the documented shape", async () => {
    const { status, answer } = await search(new Gateway(), { num: 3 });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ provider: "serpapi", engine: "google_images_light" });
    expect(answer.results).toHaveLength(3);
    for (const row of answer.results) {
      expect(Object.keys(row).toSorted()).toEqual(
        expect.arrayContaining(["imageUrl", "link", "source", "thumbnailUrl", "title"]),
      );
      expect(row).not.toHaveProperty("license");
      expect(row.imageUrl).toMatch(/^https?:/);
    }
  });

  it.each(CHAIN.flatMap((upstream) => CLASSES.map((failure) => [upstream, failure] as const)))(
    "goes on behind %s when it answers %s",
    async (upstream, failure) => {
      const next = CHAIN[CHAIN.indexOf(upstream) + 1] ?? "serpapi";
      const gateway = new Gateway({ IMAGE_CHAIN: `${upstream},${next}` });
      await gateway.fault(upstream, { class: failure });
      const { status, answer } = await search(gateway, {});
      expect(status).toBe(200);
      expect(answer.provider).toBe(next);
      expect(answer.attempts[0]).toMatchObject({
        provider: upstream,
        outcome: failure === "empty" ? "empty" : "failed",
        kept: 0,
      });
    },
  );

  it("answers 502 with the class of every step when all of them fail", async () => {
    const gateway = new Gateway();
    for (const upstream of CHAIN) await gateway.fault(upstream, { class: "transient" });
    const { status, answer } = await search(gateway, {});
    expect([status, answer.code]).toEqual([502, "providers-failed"]);
    expect(answer.attempts.map(({ provider, class: failure }) => [provider, failure])).toEqual(
      CHAIN.map((upstream) => [upstream, "transient"]),
    );
  });

  it("asks the engine that was asked for, and labels what comes in its place", async () => {
    expect((await search(new Gateway(), { engine: "bing_images" })).answer).toMatchObject({
      provider: "serpapi:bing_images",
      engine: "bing_images",
    });
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient" });
    expect((await search(gateway, { engine: "bing_images" })).answer).toMatchObject({
      provider: "serper",
      engine: "serper",
    });
  });

  it("answers cleared pictures only where they are wanted, each with its license and credit", async () => {
    for (const provider of LICENSED) {
      const { answer } = await search(new Gateway({ LICENSED_IMAGE_CHAIN: provider }), { license: "cleared" });
      expect(answer.provider).toBe(provider);
      for (const row of answer.results) {
        expect(row.license?.name).not.toMatch(/NC|ND|reserved/i);
        expect(["no-attribution", "attribution-required"]).toContain(row.license?.tier);
        if (row.license?.tier === "attribution-required") expect(row.author).not.toBe("");
        expect(row.credit).toContain(row.license?.name);
      }
    }
  });

  it("never asks a plain search engine for cleared pictures", async () => {
    const gateway = new Gateway();
    for (const upstream of LICENSED) await gateway.fault(upstream, { class: "transient" });
    const { status } = await search(gateway, { license: "cleared" });
    expect(status).toBe(502);
    const { requests } = await gateway.calls();
    expect([...new Set(requests.map(({ upstream }) => upstream))].toSorted()).toEqual(LICENSED.toSorted());
  });

  it.each([
    [{ engine: "flickr" }, "bing_images"],
    [{ engine: "bing_images", license: "cleared" }, "cleared"],
    [{ license: "free" }, "cleared"],
  ])("refuses %o", async (body, words) => {
    const response = await new Gateway().post(PATH, { query: "cat", ...body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
  });
});
