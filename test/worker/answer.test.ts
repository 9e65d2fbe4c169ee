import { describe, expect, it } from "vitest";
import type { AnswerBody } from "../../src/answer/body.ts";
import { FAULT_CASES } from "../upstreams/fault-cases.ts";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { Gateway, type UpstreamCall } from "./gateway.ts";

const TODAY = "boats in Nagasaki today";
const STABLE = "explain cat";
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty"];
const SPEC_FAILURE = { provider: "tavily", answer: null, results: [], fallback: true, error: "tavily_failed" };

async function ask(gateway: Gateway, query: string, options: Record<string, unknown> = {}): Promise<AnswerBody> {
  const response = await gateway.post("/v1/answer", { query, ...options });
  expect(response.status).toBe(200);
  return response.json<AnswerBody>();
}

async function callsTo(gateway: Gateway, upstream: string): Promise<(UpstreamCall & { body: string })[]> {
  const { requests } = await gateway.calls();
  return requests.filter((call) => call.upstream === upstream) as (UpstreamCall & { body: string })[];
}

/** What each call was for, and what became of it. */
function record(body: AnswerBody): string[] {
  return body.attempts.map((each) => `${each.step} ${each.provider} ${each.class ?? each.outcome}`);
}

describe("a question of today", () => {
  it("is answered by Gemini with sources of the web, in two calls", async () => {
    const gateway = new Gateway();
    const body = await ask(gateway, TODAY);
    expect(body).toMatchObject({
      provider: "gemini",
      fallback: false,
      used_web: true,
      searched_with: "gemini",
      untrusted: true,
      routing: { classified_web: true, provider_selected: "gemini", fallback_reason: null },
      redacted: [],
      search_queries: [TODAY],
    });
    expect(body.answer).toContain("các nguồn nói");
    expect(record(body)).toEqual(["classify gemini hit", "answer gemini hit"]);
    expect(await callsTo(gateway, "gemini")).toHaveLength(2);
    expect(await callsTo(gateway, "tavily")).toHaveLength(0);
  });

  it("shows the pages themselves, with what the answer takes from each", async () => {
    const gateway = new Gateway();
    const { results } = await ask(gateway, TODAY);
    expect(results).toHaveLength(3);
    for (const { url, redirect_url, title, snippet } of results) {
      expect(url).not.toContain("vertexaisearch");
      expect(redirect_url).toMatch(/^https:\/\/vertexaisearch\.cloud\.google\.com\/grounding-api-redirect\//);
      expect(title).toBe(new URL(url).host);
      expect(snippet).toMatch(/^“.+”: .+/);
    }
    expect(await callsTo(gateway, "gemini-redirects")).toHaveLength(3);
    // Not followed: nobody asked the pages.
    expect((await gateway.calls()).requests.filter(({ upstream }) => upstream.startsWith("images:"))).toEqual([]);
  });

  it("keeps Google's redirects where they do not tell in time", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini-redirects", { hang: true });
    const body = await ask(gateway, TODAY);
    expect(body.provider).toBe("gemini");
    for (const result of body.results) {
      expect(result.url).toContain("vertexaisearch");
      expect(result).not.toHaveProperty("redirect_url");
    }
  });

  it("goes to Tavily when Gemini finds no source", async () => {
    const body = await ask(new Gateway(), "zzyzx quuxly today cat");
    expect(record(body)).toEqual(["classify gemini hit", "answer gemini malformed", "search tavily empty"]);
    expect(body).toMatchObject({ provider: "tavily", answer: null, results: [], fallback: true, used_web: true });
  });
});

describe("a question that needs no search", () => {
  it("is answered from memory, and that is no fallback", async () => {
    const gateway = new Gateway();
    const body = await ask(gateway, STABLE);
    expect(body).toMatchObject({
      provider: "gemini",
      answer: `From memory: ${STABLE}`,
      results: [],
      fallback: false,
      used_web: false,
      searched_with: "none",
      untrusted: false,
      untrusted_note: null,
      routing: { classified_web: false },
    });
    expect(await callsTo(gateway, "gemini")).toHaveLength(2);
  });

  it.each(CLASSES)("goes to Tavily when Gemini's answer is %s", async (fault) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:direct", { class: fault });
    const body = await ask(gateway, STABLE);
    expect(body).toMatchObject({ provider: "tavily", searched_with: "tavily", used_web: true, fallback: true });
    expect(record(body)).toEqual(["classify gemini hit", `answer gemini ${fault}`, "search tavily hit"]);
  });
});

describe("a classifier that fails", () => {
  it.each(["transient", "bad-request", "malformed", "empty"])("with %s lets Gemini search", async (fault) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:classify", { class: fault });
    const body = await ask(gateway, "boats in Nagasaki");
    expect(body).toMatchObject({ provider: "gemini", used_web: true, routing: { classified_web: null } });
    expect(record(body)).toEqual([`classify gemini ${fault}`, "answer gemini hit"]);
  });

  it.each(["auth", "quota", "rate", "blocked"])("with %s leaves the question to Tavily at once", async (fault) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:classify", { class: fault });
    const body = await ask(gateway, STABLE);
    expect(body).toMatchObject({ provider: "tavily", routing: { fallback_reason: `gemini_${fault}` } });
    expect(record(body)).toEqual([`classify gemini ${fault}`, "search tavily hit"]);
    expect(await callsTo(gateway, "gemini")).toHaveLength(1);
  });

  it("by hanging leaves time for the answer", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini:classify", { hang: true });
    const body = await ask(gateway, TODAY);
    expect(record(body)).toEqual(["classify gemini timeout", "answer gemini hit"]);
  });
});

describe("Gemini failing with a grounded answer", () => {
  it.each(CLASSES)("as %s is followed by Tavily", async (fault) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { class: fault });
    const body = await ask(gateway, TODAY);
    expect(body).toMatchObject({
      provider: "tavily",
      fallback: true,
      searched_with: "tavily",
      routing: { provider_selected: "tavily", fallback_reason: `gemini_${fault.replace("-", "_")}` },
    });
    expect(body.answer).toMatch(/^In short: /);
    expect(body.results.every(({ title, url, snippet }) => title !== "" && url !== "" && snippet !== "")).toBe(true);
    expect(record(body)).toEqual(["classify gemini hit", `answer gemini ${fault}`, "search tavily hit"]);
  });

  it.each(FAULT_CASES.gemini!)("by its row $id is followed by Tavily", async ({ id, status, headers, body }) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { status, headers, body });
    const answered = await ask(gateway, TODAY);
    expect(answered.provider).toBe("tavily");
    expect(answered.results.length).toBeGreaterThan(0);
    // A model that is gone is no failure of Gemini: the next one is asked.
    expect(await callsTo(gateway, "gemini")).toHaveLength(id === "model-gone" ? 3 : 2);
  });

  it("by hanging leaves time for Tavily", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { hang: true });
    const body = await ask(gateway, TODAY);
    expect(record(body)).toEqual(["classify gemini hit", "answer gemini timeout", "search tavily hit"]);
  });

  it("by breaking off is followed by Tavily", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { truncate: 40 });
    expect(record(await ask(gateway, TODAY))[1]).toBe("answer gemini transient");
  });
});

describe("both failing", () => {
  it.each(CLASSES.filter((fault) => fault !== "empty"))("is exactly the failure of the contract: %s", async (fault) => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { class: fault });
    await gateway.fault("tavily", { class: fault });
    const response = await gateway.post("/v1/answer", { query: TODAY });
    expect(response.status).toBe(502);
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(await response.json()).toEqual(SPEC_FAILURE);
    const timing = response.headers.get("server-timing")!.replaceAll(/dur=\d+/g, "dur=0");
    // Tavily's table has no refusal of that kind: a 403 of any sort is its word on the key.
    const atTavily = fault === "blocked" ? "auth" : fault;
    expect(timing).toBe(`gemini;dur=0;desc="hit", gemini;dur=0;desc="${fault}", tavily;dur=0;desc="${atTavily}"`);
  });

  it.each(FAULT_CASES.tavily!.filter(({ expected }) => expected !== "empty"))(
    "at Tavily by its row $id",
    async ({ id }) => {
      const gateway = new Gateway();
      await gateway.fault("gemini", { class: "auth" });
      await gateway.fault("tavily", { case: id });
      const response = await gateway.post("/v1/answer", { query: TODAY });
      expect(response.status).toBe(502);
      expect(await response.json()).toEqual(SPEC_FAILURE);
    },
  );

  it("at Tavily with a refusal that comes as a success", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini", { class: "auth" });
    const headers = { "content-type": "application/json" };
    await gateway.fault("tavily", {
      status: 200,
      headers,
      body: JSON.stringify({ detail: { error: "no" }, results: [] }),
    });
    const response = await gateway.post("/v1/answer", { query: TODAY });
    expect([response.status, await response.json()]).toEqual([502, SPEC_FAILURE]);
  });

  it("is not claimed when Tavily answered that there is nothing", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini", { class: "quota" });
    await gateway.fault("tavily", { class: "empty" });
    const body = await ask(gateway, TODAY);
    expect(body).toMatchObject({ provider: "tavily", answer: null, results: [], fallback: true });
    expect(body).not.toHaveProperty("error");
  });
});

describe("keys", () => {
  const without = { GEMINI_API_KEY: "", TAVILY_API_KEY: "" };

  it("that are all missing are named, beside the failure of the contract", async () => {
    const response = await new Gateway(without).post("/v1/answer", { query: TODAY });
    expect(response.status).toBe(503);
    const body = await response.json<Record<string, unknown>>();
    expect(body).toMatchObject({ ...SPEC_FAILURE, code: "no-provider", status: 503 });
    expect(body.detail).toMatch(/GEMINI_API_KEY.*TAVILY_API_KEY/);
    expect(JSON.stringify(body.attempts)).toContain("needs TAVILY_API_KEY");
  });

  it("of one provider are enough", async () => {
    const tavilyOnly = await ask(new Gateway({ ...without, TAVILY_API_KEY: TEST_KEYS.TAVILY_API_KEY! }), TODAY);
    expect(tavilyOnly).toMatchObject({ provider: "tavily", routing: { fallback_reason: "gemini_key_missing" } });
    const geminiOnly = new Gateway({ ...without, GEMINI_API_KEY: TEST_KEYS.GEMINI_API_KEY! });
    expect(await ask(geminiOnly, TODAY)).toMatchObject({ provider: "gemini", fallback: false });
  });

  it("that are wrong are auth, not a missing answer", async () => {
    const gateway = new Gateway({ GEMINI_API_KEY: "wrong-key-of-gemini" });
    const body = await ask(gateway, TODAY);
    expect(body.routing.fallback_reason).toBe("gemini_auth");
    expect(JSON.stringify(body)).not.toContain("wrong-key-of-gemini");
  });

  it("stand in no body that leaves, in no address and in no log line", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { class: "transient" });
    const body = await ask(gateway, TODAY);
    const calls = [...(await callsTo(gateway, "gemini")), ...(await callsTo(gateway, "tavily"))];
    const seen = JSON.stringify([body, gateway.log, calls.map((call) => [call.path, call.query, call.body])]);
    for (const name of ["GEMINI_API_KEY", "TAVILY_API_KEY"]) expect(seen).not.toContain(TEST_KEYS[name]);
  });
});

describe("a key that Gemini or Tavily quotes back", () => {
  const rows = ["gemini", "tavily"].flatMap((upstream) => FAULT_CASES[upstream]!.map(({ id }) => ({ upstream, id })));

  it.each(rows)("is in no output: $upstream, $id", async ({ upstream, id }) => {
    const gateway = new Gateway(upstream === "tavily" ? { GEMINI_API_KEY: "" } : {});
    await gateway.fault(upstream, { case: id });
    const response = await gateway.post("/v1/answer", { query: TODAY });
    const seen = [await response.text(), JSON.stringify([...response.headers]), ...gateway.log].join("\n");
    expect(seen).not.toContain(TEST_KEYS.GEMINI_API_KEY);
    expect(seen).not.toContain(TEST_KEYS.TAVILY_API_KEY);
  });
});

describe("models", () => {
  it("that are retired make room for the next, which answers as well", async () => {
    const gateway = new Gateway({ GEMINI_MODEL: "gemini-2.5-flash-lite" });
    const body = await ask(gateway, TODAY);
    expect(body.provider).toBe("gemini");
    expect(record(body)).toEqual(["classify gemini bad-request", "classify gemini hit", "answer gemini hit"]);
    const models = (await callsTo(gateway, "gemini")).map(({ path }) => /models\/([^:]+)/.exec(path)![1]);
    expect(models).toEqual(["gemini-2.5-flash-lite", "gemini-3.1-flash-lite", "gemini-3.1-flash-lite"]);
  });

  it("that are all retired leave the question to Tavily", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini", { case: "model-gone" });
    const body = await ask(gateway, TODAY);
    expect(body.provider).toBe("tavily");
    expect(await callsTo(gateway, "gemini")).toHaveLength(2);
  });
});

describe("the request", () => {
  it("reaches Tavily mapped, without our own fields and without empty ones", async () => {
    const gateway = new Gateway({ GEMINI_API_KEY: "" });
    const options = { country: "vn", topic: "", start_date: "", safe_mode: true, return_snippets: false };
    const body = await ask(gateway, TODAY, options);
    expect(body.results.map(({ snippet }) => snippet)).toEqual(["", "", ""]);
    const [call] = await callsTo(gateway, "tavily");
    expect(JSON.parse(call!.body)).toEqual({
      query: TODAY,
      max_results: 3,
      include_answer: true,
      include_raw_content: false,
      country: "vietnam",
    });
  });

  it("loses private data before anybody is asked, and the answer says so", async () => {
    const gateway = new Gateway();
    await gateway.fault("gemini:grounded", { class: "transient" });
    const body = await ask(gateway, "cat of jane@mail.example today 2026-11-30");
    expect(body.redacted).toEqual(["email"]);
    const bodies = [...(await callsTo(gateway, "gemini")), ...(await callsTo(gateway, "tavily"))].map(
      (call) => call.body,
    );
    expect(bodies).toHaveLength(3);
    for (const text of bodies) {
      expect(text).toContain("2026-11-30");
      expect(text).not.toContain("jane");
    }
  });

  it.each([
    [{ query: TODAY, api_key: "tvly-anything" }, "/api_key"],
    [{ query: TODAY, country: "zz" }, "/country"],
    [{ query: "" }, "/query"],
  ])("that is not valid is a 400 that names the field, and nobody is asked: %j", async (sent, pointer) => {
    const gateway = new Gateway();
    const response = await gateway.post("/v1/answer", sent);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      provider: null,
      answer: null,
      results: [],
      error: "invalid-request",
      errors: [{ pointer }],
    });
    expect((await gateway.calls()).requests).toEqual([]);
  });

  it("needs a key, JSON and POST", async () => {
    const closed = new Gateway({ LOCAL_TENANT: "" });
    expect((await closed.post("/v1/answer", { query: TODAY })).status).toBe(401);
    expect((await new Gateway().post("/v1/answer", "query=x", { "content-type": "text/plain" })).status).toBe(415);
    expect((await new Gateway().fetch("/v1/answer")).status).toBe(405);
  });
});
