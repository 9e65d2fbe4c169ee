import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

/** The client hangs up at 30 s. */
const CLIENT_LIMIT_MS = 25_000;

describe.concurrent("upstreams that hang", () => {
  it("cost no more than their own time limit when one of them does", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { hang: true });
    const response = await within(gateway.post("/search", { search_type: "web", query: "cat", num: 10 }));
    const body = await response.json<{ results: unknown[]; attempts: { class?: string }[] }>();
    expect(body.results).toHaveLength(10);
    expect(body.attempts[0]).toMatchObject({ provider: "serpapi", class: "timeout" });
    const [first] = (await gateway.calls()).requests;
    expect(first).toMatchObject({ upstream: "serpapi", aborted: true });
  });

  it("leave an answer in time when all of them do", async () => {
    const gateway = new Gateway();
    for (const upstream of ["serpapi", "google-cse", "serper", "brave", "searxng", "wikipedia"]) {
      await gateway.fault(upstream, { hang: true });
    }
    const response = await within(gateway.post("/search", { search_type: "web", query: "cat", num: 10 }));
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ success: false, results: [], code: "providers-failed" });
  });

  it("leave two images for the client when every picture host hangs but one", async () => {
    const gateway = new Gateway({ IMAGE_CHAIN: "serpapi,pexels" });
    await gateway.fault("images", { hang: true });
    await gateway.fault("images:images.animalmotion.example", { latencyMs: 1 });
    const response = await within(gateway.post("/search", { search_type: "image", query: "cat", num: 10 }));
    const { results } = await response.json<{ results: { imageUrl: string }[] }>();
    const hosts = results.map((row) => new URL(row.imageUrl).host);
    expect(hosts.slice(0, 2)).toEqual(["images.animalmotion.example", "images.animalmotion.example"]);
  });

  it("leave mirrored pictures of the next provider when those of the first hang", async () => {
    const gateway = new Gateway({ IMAGE_CHAIN: "serpapi,pexels", SEARCH_MIRROR: "on" });
    await gateway.fault("images", { hang: true, match: "/media/" });
    const response = await within(gateway.post("/search", { search_type: "image", query: "cat", num: 10 }));
    const { results } = await response.json<{ results: { imageUrl: string }[] }>();
    const mirrored = results.filter((row) => row.imageUrl.startsWith("https://sluice.test/s/"));
    expect(mirrored.length).toBeGreaterThanOrEqual(2);
    expect(results.slice(0, mirrored.length)).toEqual(mirrored);
  });

  it("leave an answer in time when the mirrored pictures trickle in", async () => {
    const gateway = new Gateway({ SEARCH_MIRROR: "on" });
    await gateway.fault("images", { slowBody: { bytesPerSecond: 2_000 } });
    const response = await within(gateway.post("/search", { search_type: "image", query: "cat", num: 10 }));
    expect([200, 502]).toContain(response.status);
  });
});

/** Not how fast it is, but that the client would still be there. */
function within(answer: Promise<Response>): Promise<Response> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error("the client has gone")), CLIENT_LIMIT_MS),
  );
  return Promise.race([answer, late]);
}
