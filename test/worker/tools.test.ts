import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

const IDS = [
  "google-search",
  "serpapi-reverse-image",
  "serpapi-bing",
  "serpapi-baidu",
  "serpapi-images",
  "saucenao",
  "reverse-image",
  "github",
  "deep-research",
];
const IMAGE_IDS = ["serpapi-reverse-image", "saucenao", "reverse-image"];
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed"];
const WEB_CHAIN = ["serpapi", "google-cse", "serper", "brave", "searxng", "wikipedia"];
const IMAGE_CHAIN = ["serpapi", "serper", "brave", "searxng", "pexels", "pixabay", "openverse", "wikimedia"];
/** Everyone whom a tool may ask. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  "google-search": WEB_CHAIN,
  "serpapi-bing": WEB_CHAIN,
  "serpapi-baidu": WEB_CHAIN,
  "deep-research": WEB_CHAIN,
  "serpapi-images": IMAGE_CHAIN,
  "serpapi-reverse-image": ["serpapi"],
  saucenao: ["saucenao"],
  "reverse-image": ["saucenao", "serpapi"],
  github: ["github"],
};
const IMAGE = "https://private.example/cat.jpg";

interface Answer {
  tool: string;
  outcome: string;
  class?: string;
  markdown: string;
  results: Record<string, unknown>[];
  attempts: { provider: string; outcome: string; class?: string; detail?: string }[];
  code?: string;
  errors?: { pointer: string; detail: string }[];
}

async function call(gateway: Gateway, id: string, more: Record<string, unknown> = {}) {
  const input = IMAGE_IDS.includes(id) ? { image_url: IMAGE } : { query: "cat" };
  const response = await gateway.post(`/v1/tools/${id}`, { ...input, ...more });
  return { status: response.status, answer: (await response.json()) as Answer };
}

describe("GET /v1/tools", () => {
  it("lists every tool with what it needs", async () => {
    const response = await new Gateway().fetch("/v1/tools");
    expect(response.status).toBe(200);
    const { tools }: { tools: { id: string; label: string; button: string | null; needs: string }[] } =
      await response.json();
    expect(tools.map(({ id }) => id)).toEqual(IDS);
    expect(tools.filter(({ needs }) => needs === "image").map(({ id }) => id)).toEqual(IMAGE_IDS);
    // The buttons of the chat page: a name that does not match switches its tool off without a word.
    expect(tools.slice(0, 6).map(({ button }) => button)).toEqual([
      "googleSearchBtn",
      "googleLensBtn",
      "serpapiBingBtn",
      "serpapiBaiduBtn",
      "serpapiImagesBtn",
      "saucenaoBtn",
    ]);
  });
});

describe("POST /v1/tools/{id}", () => {
  it.each(IDS)("runs %s: results, markdown in both languages, and the record", async (id) => {
    const { status, answer } = await call(new Gateway(), id);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ tool: id, outcome: "hit" });
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer.markdown).toMatch(/^(?:🔍|🖼️|🐙|🧠) /u);
    expect(answer.attempts.some(({ outcome }) => outcome === "hit")).toBe(true);
    const english = await call(new Gateway(), id, { language: "en" });
    expect(english.answer.markdown).not.toMatch(/[Kk]ết quả|Nguồn|Tác giả|Còn lại/);
  });

  it.each(IDS.flatMap((id) => CLASSES.map((failure) => [id, failure] as const)))(
    "says that %s failed when everyone answers %s, and presents no text as a result",
    async (id, failure) => {
      const gateway = new Gateway();
      for (const upstream of ASKED[id]!) await gateway.fault(upstream, { class: failure });
      const { status, answer } = await call(gateway, id);
      expect(status).toBe(502);
      expect(answer).toMatchObject({
        tool: id,
        outcome: "failed",
        markdown: "",
        results: [],
        code: "providers-failed",
      });
      const classes = failure === "blocked" ? ["blocked", "auth"] : [failure];
      expect(classes).toContain(answer.class);
    },
  );

  it.each(IDS)("says that %s found nothing when everyone answers so", async (id) => {
    const gateway = new Gateway();
    for (const upstream of ASKED[id]!) await gateway.fault(upstream, { class: "empty" });
    const { status, answer } = await call(gateway, id);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ outcome: "empty", results: [] });
    expect(answer).not.toHaveProperty("class");
    expect(answer.markdown).toContain("Không tìm thấy");
  });

  it("tells with an empty outcome why not everyone answered", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "serpapi,wikipedia" });
    await gateway.fault("serpapi", { class: "auth" });
    await gateway.fault("wikipedia", { class: "empty" });
    const { answer } = await call(gateway, "google-search");
    expect(answer).toMatchObject({ outcome: "empty", class: "auth" });
  });

  it.each(["serpapi-bing", "serpapi-baidu"])(
    "never puts the name of %s on what Google gave in its place",
    async (id) => {
      const gateway = new Gateway();
      await gateway.fault("serpapi", { class: "transient" });
      const { answer } = await call(gateway, id);
      expect(answer.attempts.map(({ provider }) => provider)).toEqual([`serpapi:${id.slice(8)}`, "google-cse"]);
      expect(answer.markdown).toMatch(/^🔍 \*\*Kết quả tìm kiếm web \(real-time\):\*\*\n\n/);
      expect(answer.markdown).not.toMatch(/Bing|Baidu/);
    },
  );

  it("shows five web results, six images, or as many as wanted", async () => {
    expect((await call(new Gateway(), "google-search")).answer.results).toHaveLength(5);
    expect((await call(new Gateway(), "serpapi-images")).answer.results).toHaveLength(6);
    expect((await call(new Gateway(), "serpapi-images", { num: 2 })).answer.results).toHaveLength(2);
  });

  it("gathers the web and Bing for deep research, names both, and gives twice as much", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { latencyMs: 150 });
    const { answer } = await call(gateway, "deep-research");
    expect(answer.results).toHaveLength(10);
    expect(answer.markdown).toContain("🔍 **Google + Bing Search — Kết quả thực tế:**");
    expect(answer.attempts.map(({ provider }) => provider)).toEqual(["serpapi", "serpapi:bing"]);
    const links = answer.results.map(({ link }) => link);
    expect(new Set(links).size).toBe(links.length);
    expect((await gateway.calls()).peakInFlight).toBe(2);
  });

  it("keeps deep research with one half when the other fails, and asks nobody twice", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient", match: "engine=bing" });
    const { answer } = await call(gateway, "deep-research");
    expect(answer.outcome).toBe("hit");
    expect(answer.markdown).toContain("🔍 **Google Search —");
    const { requests } = await gateway.calls();
    expect(requests).toHaveLength(2);
  });

  it("searches GitHub without a token as well", async () => {
    const gateway = new Gateway({ GITHUB_TOKEN: "" });
    expect((await call(gateway, "github")).answer.outcome).toBe("hit");
    const { requests } = await gateway.calls();
    expect(requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("refuses an unknown tool with the list of those that are", async () => {
    const { status, answer } = await call(new Gateway(), "yahoo-search");
    expect([status, answer.code]).toEqual([400, "invalid-request"]);
    for (const id of IDS) expect(answer.errors?.[0]?.detail).toContain(id);
  });

  it("refuses a call without what the tool needs", async () => {
    for (const id of IDS) {
      const response = await new Gateway().post(`/v1/tools/${id}`, {});
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(IMAGE_IDS.includes(id) ? "/image_url" : "/query");
    }
  });

  it.each(IMAGE_IDS)("asks nobody about an address inside a network: %s", async (id) => {
    const gateway = new Gateway();
    for (const url of [
      "http://127.0.0.1/a.jpg",
      "http://metadata.google.internal/a.jpg",
      "https://u:p@a.example/a.jpg",
    ]) {
      expect((await gateway.post(`/v1/tools/${id}`, { image_url: url })).status).toBe(400);
    }
    expect((await gateway.calls()).requests).toEqual([]);
  });

  it("says which setting is missing when nobody can be asked", async () => {
    const { status, answer } = await call(new Gateway({ SAUCENAO_API_KEY: "" }), "saucenao");
    expect(status).toBe(503);
    expect(answer).toMatchObject({ outcome: "failed", class: "skipped", markdown: "", results: [] });
    expect(answer.attempts[0]?.detail).toContain("SAUCENAO_API_KEY");
  });

  it("takes an image as data for every image tool", async () => {
    const pixel =
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    for (const id of IMAGE_IDS) {
      const response = await new Gateway().post(`/v1/tools/${id}`, { image_data_url: pixel });
      expect(response.status).toBe(200);
    }
    const broken = await new Gateway().post("/v1/tools/saucenao", { image_data_url: "data:image/png;base64,aGk=" });
    expect(broken.status).toBe(400);
  });
});
