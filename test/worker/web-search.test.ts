import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

const PATH = "/v1/web-search";
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty"];
/** Every upstream of the chain, and the step that answers when all before it do not. */
const CHAIN = ["serpapi", "google-cse", "serper", "brave", "searxng", "wikipedia"];

interface Answer {
  results: { title: string; link: string; snippet: string; position: number; source: string; date?: string }[];
  provider?: string;
  engine?: string;
  degraded?: true;
  attempts: { provider: string; outcome: string; class?: string; kept: number }[];
  code?: string;
}

async function search(gateway: Gateway, body: Record<string, unknown>): Promise<{ status: number; answer: Answer }> {
  const response = await gateway.post(PATH, { query: "french alpine landscape", ...body });
  return { status: response.status, answer: await response.json() };
}

describe("POST /v1/web-search", () => {
  it("answers rows in the documented shape, with the record of what was asked", async () => {
    const { status, answer } = await search(new Gateway(), { num: 5 });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ provider: "serpapi", engine: "google" });
    expect(answer.results).toHaveLength(5);
    expect(answer.results.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    for (const row of answer.results) {
      expect(Object.keys(row).filter((key) => key !== "date")).toEqual([
        "title",
        "link",
        "snippet",
        "position",
        "source",
      ]);
      expect(row.link).toMatch(/^https?:/);
    }
    expect(answer.attempts).toEqual([expect.objectContaining({ provider: "serpapi", outcome: "hit" })]);
  });

  it("counts positions over pages", async () => {
    const { answer } = await search(new Gateway(), { page: 2, num: 5 });
    expect(answer.results[0]?.position).toBe(6);
  });

  it.each(CHAIN.flatMap((upstream) => CLASSES.map((failure) => [upstream, failure] as const)))(
    "goes on behind %s when it answers %s",
    async (upstream, failure) => {
      const next = CHAIN[CHAIN.indexOf(upstream) + 1];
      const chain = next === undefined ? [upstream, "serpapi"] : [upstream, next];
      const gateway = new Gateway({ WEB_CHAIN: chain.join(",") });
      await gateway.fault(upstream, { class: failure });
      const { status, answer } = await search(gateway, {});
      expect(status).toBe(200);
      expect(answer.provider).toBe(chain[1]);
      expect(answer.results.length).toBeGreaterThan(0);
      const [attempt] = answer.attempts;
      expect(attempt).toMatchObject({ provider: upstream, kept: 0, outcome: failure === "empty" ? "empty" : "failed" });
      // Where an upstream's table has no such row, a plain 403 is what stands for it.
      const classes = failure === "blocked" ? ["blocked", "auth"] : [failure];
      if (failure !== "empty") expect(classes).toContain(attempt?.class);
    },
  );

  it("goes on behind one that never answers, when its time is over", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "wikipedia,serpapi" });
    await gateway.fault("wikipedia", { class: "timeout" });
    const { answer } = await search(gateway, {});
    expect(answer.provider).toBe("serpapi");
    expect(answer.attempts[0]).toMatchObject({ provider: "wikipedia", outcome: "failed", class: "timeout" });
    const { requests } = await gateway.calls();
    expect(requests[0]).toMatchObject({ upstream: "wikipedia", aborted: true });
  });

  it.each(["quota", "rate", "auth", "blocked"])(
    "turns to the second CSE key when the first answers %s",
    async (failure) => {
      const gateway = new Gateway({ WEB_CHAIN: "google-cse,wikipedia" });
      await gateway.fault("google-cse", { class: failure, times: 1 });
      const { answer } = await search(gateway, {});
      expect(answer).toMatchObject({ provider: "google-cse#2", engine: "google" });
      expect(answer.attempts.map(({ provider }) => provider)).toEqual(["google-cse", "google-cse#2"]);
    },
  );

  it.each(["empty", "bad-request", "malformed", "transient"])(
    "spends no call of the second CSE key when the first answers %s",
    async (failure) => {
      const gateway = new Gateway({ WEB_CHAIN: "google-cse,wikipedia" });
      await gateway.fault("google-cse", { class: failure, times: 1 });
      const { answer } = await search(gateway, {});
      expect(answer.provider).toBe("wikipedia");
      const { requests } = await gateway.calls();
      expect(requests.filter(({ upstream }) => upstream === "google-cse")).toHaveLength(1);
    },
  );

  it("remembers that a CSE key is used up, and asks the other at once", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "google-cse,wikipedia" });
    await gateway.fault("google-cse", { class: "quota", times: 1 });
    await search(gateway, {});
    const { answer } = await search(gateway, { query: "cat" });
    expect(answer.attempts[0]).toMatchObject({ provider: "google-cse", class: "skipped" });
    expect(answer.provider).toBe("google-cse#2");
    const { requests } = await gateway.calls();
    expect(requests.filter(({ upstream }) => upstream === "google-cse")).toHaveLength(3);
  });

  it("answers 502 with the class of every step when all of them fail", async () => {
    const gateway = new Gateway();
    for (const upstream of CHAIN) await gateway.fault(upstream, { class: "transient" });
    const { status, answer } = await search(gateway, {});
    expect(status).toBe(502);
    expect(answer.code).toBe("providers-failed");
    expect(answer.attempts.filter(({ class: failure }) => failure === "transient")).toHaveLength(CHAIN.length);
  });

  it("tells nothing found from not everyone answered", async () => {
    const nothing = new Gateway({ WEB_CHAIN: "serpapi,wikipedia" });
    await nothing.fault("serpapi", { class: "empty" });
    await nothing.fault("wikipedia", { class: "empty" });
    const empty = await search(nothing, {});
    expect(empty.answer).toMatchObject({ results: [] });
    expect(empty.answer).not.toHaveProperty("degraded");
    await nothing.fault("wikipedia", { class: "transient" });
    const degraded = await search(nothing, {});
    expect(degraded).toMatchObject({ status: 200, answer: { results: [], degraded: true } });
  });

  it("answers 503 and names the settings when no provider has a key", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "serpapi,serper", SERPAPI_API_KEY: "", SERPER_API_KEY: "" });
    const { status, answer } = await search(gateway, {});
    expect(status).toBe(503);
    expect(JSON.stringify(answer.attempts)).toContain("SERPAPI_API_KEY");
  });

  it("labels results with the engine that gave them, not with the one that was asked", async () => {
    const bing = await search(new Gateway(), { engine: "bing" });
    expect(bing.answer).toMatchObject({ provider: "serpapi:bing", engine: "bing" });
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient" });
    const instead = await search(gateway, { engine: "bing" });
    expect(instead.answer).toMatchObject({ provider: "google-cse", engine: "google" });
    await gateway.fault("google-cse", { class: "transient" });
    await gateway.fault("serper", { class: "transient" });
    expect((await search(gateway, { engine: "baidu" })).answer).toMatchObject({ engine: "brave" });
  });

  it("does not ask another engine of an account that was refused", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "auth" });
    await search(gateway, { engine: "bing" });
    const { answer } = await search(gateway, { engine: "baidu" });
    expect(answer.attempts[0]).toMatchObject({ provider: "serpapi:baidu", class: "skipped" });
  });

  it.each([
    [{ engine: "altavista" }, "/engine", "baidu"],
    [{ country: "vietnam" }, "/country", "ISO"],
    [{ locale: "not a tag" }, "/locale", "BCP 47"],
    [{ query: "  " }, "/query", "empty"],
    [{ page: 0 }, "/page", ""],
    [{ pages: 3 }, "", "pages"],
  ])("refuses %o and says where it is wrong", async (body, pointer, words) => {
    const response = await new Gateway().post(PATH, { query: "cat", ...body });
    expect(response.status).toBe(400);
    const problem: { errors: { pointer: string; detail: string }[] } = await response.json();
    expect(problem.errors[0]?.pointer).toContain(pointer);
    expect(JSON.stringify(problem.errors)).toContain(words);
  });
});
