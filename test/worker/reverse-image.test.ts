import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Gateway, type UpstreamCall } from "./gateway.ts";

const PATH = "/v1/reverse-image";
const CLASSES = ["auth", "quota", "rate", "transient", "bad-request", "blocked", "malformed", "empty"];
const ENGINES = ["google_lens", "google_reverse_image", "yandex_images", "bing_reverse_image"];
/** A picture that no engine has seen: it has likenesses, and no exact match. */
const UNKNOWN = "https://private.example/cat.jpg";
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Source {
  title: string;
  author: string;
  url: string;
  thumbnail: string | null;
  similarity: number | null;
  source_engine: string;
}

interface Answer {
  sources: Source[];
  similar: Source[];
  knowledge: string | null;
  summary: string;
  degraded?: true;
  attempts: { provider: string; outcome: string; class?: string; detail?: string }[];
  code?: string;
  detail?: string;
}

async function search(gateway: Gateway, body: Record<string, unknown>): Promise<{ status: number; answer: Answer }> {
  const response = await gateway.post(PATH, body);
  return { status: response.status, answer: await response.json() };
}

/** Only one fault stands at an upstream, so engines that must fail as well are matched by what they share. */
async function failEngine(gateway: Gateway, engine: string, failure: string): Promise<void> {
  await gateway.fault("serpapi", { class: failure, match: `engine=${engine}&` });
}

const engineOf = (attempt: { provider: string }) => attempt.provider.replace("serpapi:", "");

describe("POST /v1/reverse-image, cascade", () => {
  it("stops at Lens when Lens finds anything, and answers the documented fields", async () => {
    const { status, answer } = await search(new Gateway(), { image_url: UNKNOWN, mode: "cascade" });
    expect(status).toBe(200);
    expect(answer.attempts.map(engineOf)).toEqual(["google_lens"]);
    expect(answer.sources.length).toBeGreaterThan(0);
    for (const source of answer.sources) {
      expect(Object.keys(source)).toEqual(["title", "author", "url", "thumbnail", "similarity", "source_engine"]);
      expect(source.source_engine).toBe("google_lens");
    }
    expect(answer.knowledge).toContain(" — ");
    expect(answer.summary).toContain("🔍 **Nguồn tìm thấy**");
  });

  it.each(CLASSES)("goes on to Google reverse when Lens answers %s", async (failure) => {
    const gateway = new Gateway();
    await failEngine(gateway, "google_lens", failure);
    const { status, answer } = await search(gateway, { image_url: UNKNOWN, mode: "cascade" });
    const [attempt] = answer.attempts;
    expect(attempt).toMatchObject({
      provider: "serpapi:google_lens",
      outcome: failure === "empty" ? "empty" : "failed",
    });
    // What refuses the account refuses its other engines too: they are not asked in vain.
    if (["auth", "quota", "rate"].includes(failure) || attempt?.class === "auth") {
      expect(status).toBe(502);
      expect(answer.attempts.slice(1).map((each) => each.class)).toEqual(["skipped", "skipped", "skipped"]);
    } else {
      expect(status).toBe(200);
      expect(answer.similar[0]?.source_engine).toBe("google_reverse_image");
    }
  });

  it("asks in the order Lens, Google reverse, Yandex, Bing", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "empty" });
    const { status, answer } = await search(gateway, { image_url: UNKNOWN, mode: "cascade" });
    expect(status).toBe(200);
    expect(answer.attempts.map(engineOf)).toEqual(ENGINES);
    expect(answer).toMatchObject({ sources: [], similar: [], knowledge: null });
    expect(answer.summary).toBe("🔍 Không tìm thấy kết quả reverse image từ bất kỳ nguồn nào.");
  });

  it("reads Yandex's matches", async () => {
    const gateway = new Gateway();
    // Both Google engines fail for a moment, and their name is what they share.
    await gateway.fault("serpapi", { class: "transient", match: "engine=google_" });
    const { answer } = await search(gateway, { image_url: UNKNOWN, mode: "cascade" });
    expect(answer.attempts.map(engineOf)).toEqual(ENGINES.slice(0, 3));
    expect(answer.similar.length).toBeGreaterThan(0);
    expect(new Set(answer.similar.map((each) => each.source_engine))).toEqual(new Set(["yandex"]));
  });

  it("asks Lens once more when it is empty without a reason", async () => {
    const gateway = new Gateway();
    const silent = { search_metadata: { status: "Success" } };
    await gateway.fault("serpapi", {
      status: 200,
      body: JSON.stringify(silent),
      match: "engine=google_lens",
      times: 1,
    });
    const { answer } = await search(gateway, { image_url: UNKNOWN, mode: "cascade", country: "ae" });
    expect(answer.attempts.map(engineOf)).toEqual(["google_lens"]);
    expect(answer.sources.length).toBeGreaterThan(0);
    const { requests } = await gateway.calls();
    const queries = requests.map(({ query }) => query as Record<string, string>);
    expect(queries.map((query) => [query["country"], query["no_cache"]])).toEqual([
      ["ae", undefined],
      [undefined, "true"],
    ]);
  });

  it.each(CLASSES.filter((failure) => failure !== "empty"))(
    "is 502 with every class, never an empty answer, when all engines answer %s",
    async (failure) => {
      const gateway = new Gateway();
      await gateway.fault("serpapi", { class: failure });
      const { status, answer } = await search(gateway, { image_url: UNKNOWN, mode: "cascade" });
      expect([status, answer.code]).toEqual([502, "providers-failed"]);
      expect(answer.attempts.map(engineOf)).toEqual(ENGINES);
      expect(answer).not.toHaveProperty("summary");
    },
  );
});

describe("POST /v1/reverse-image, multi", () => {
  it("asks SauceNAO and Lens together, and nobody else once three sources leave no doubt", async () => {
    const gateway = new Gateway();
    await gateway.fault("saucenao", { latencyMs: 150 });
    const exact = [1, 2, 3].map((number) => ({ title: `Plate ${number}`, link: `https://a.example/${number}` }));
    const body = JSON.stringify({ search_metadata: { status: "Success" }, exact_matches: exact });
    await gateway.fault("serpapi", { status: 200, body, latencyMs: 150 });
    const { answer } = await search(gateway, { image_url: UNKNOWN });
    const outcomes = answer.attempts.map((attempt) => [engineOf(attempt), attempt.class ?? attempt.outcome]);
    expect(outcomes).toEqual([
      ["saucenao", "hit"],
      ["google_lens", "hit"],
      ["google_reverse_image", "skipped"],
      ["yandex_images", "skipped"],
      ["bing_reverse_image", "skipped"],
    ]);
    const { peakInFlight } = await gateway.calls();
    expect(peakInFlight).toBe(2);
  });

  it("goes on while fewer than three are strong, and puts weak rows of SauceNAO among the similar", async () => {
    const { answer } = await search(new Gateway(), { image_url: UNKNOWN, mode: "multi" });
    expect(answer.attempts.map((attempt) => [engineOf(attempt), attempt.class ?? attempt.outcome])).toEqual([
      ["saucenao", "hit"],
      ["google_lens", "hit"],
      ["google_reverse_image", "hit"],
      ["yandex_images", "hit"],
      ["bing_reverse_image", "skipped"],
    ]);
    const sauce = answer.sources.filter((each) => each.source_engine === "saucenao");
    expect(sauce.map((each) => each.similarity)).toEqual([95.2, 82]);
    const weak = answer.similar.filter((each) => each.source_engine === "saucenao");
    expect(weak.map((each) => each.similarity)).toEqual(expect.arrayContaining([34.4]));
    const urls = [...answer.sources, ...answer.similar].map(({ url }) => url).filter((url) => url !== "");
    expect(new Set(urls).size).toBe(urls.length);
  });

  it("asks Bing where neither Google reverse nor Yandex has anything", async () => {
    const gateway = new Gateway({ SAUCENAO_API_KEY: "" });
    await gateway.fault("serpapi", { class: "transient", match: "engine=google_" });
    const yandexToo = new Gateway({ SAUCENAO_API_KEY: "" });
    await yandexToo.fault("serpapi", { class: "transient", match: "_image" });
    const one = await search(gateway, { image_url: UNKNOWN });
    expect(one.answer.attempts.at(-1)).toMatchObject({ provider: "serpapi:bing_reverse_image", class: "skipped" });
    const other = await search(yandexToo, { image_url: UNKNOWN });
    expect(other.answer.attempts.at(-1)).toMatchObject({ provider: "serpapi:bing_reverse_image", class: "transient" });
  });

  it.each(CLASSES)("answers from Lens when SauceNAO answers %s", async (failure) => {
    const gateway = new Gateway();
    await gateway.fault("saucenao", { class: failure });
    const { status, answer } = await search(gateway, { image_url: UNKNOWN });
    expect(status).toBe(200);
    expect(answer.attempts[0]).toMatchObject({
      provider: "saucenao",
      outcome: failure === "empty" ? "empty" : "failed",
    });
    expect(new Set(answer.sources.map((each) => each.source_engine))).toEqual(new Set(["google_lens"]));
  });

  it.each(CLASSES)("answers from SauceNAO when all of SerpAPI answers %s", async (failure) => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: failure });
    const { status, answer } = await search(gateway, { image_url: UNKNOWN });
    expect(status).toBe(200);
    expect(new Set(answer.sources.map((each) => each.source_engine))).toEqual(new Set(["saucenao"]));
    expect(answer.attempts).toHaveLength(5);
  });

  it("is 502 when all fail, and degraded when one of them is empty", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient" });
    await gateway.fault("saucenao", { class: "transient" });
    expect((await search(gateway, { image_url: UNKNOWN })).status).toBe(502);
    await gateway.fault("saucenao", { class: "empty" });
    const { status, answer } = await search(gateway, { image_url: UNKNOWN, language: "en" });
    expect(status).toBe(200);
    expect(answer).toMatchObject({ degraded: true, sources: [], similar: [] });
    expect(answer.summary).toBe("🔍 No reverse image results from any source.");
  });

  it("is 503 and names the settings without any key", async () => {
    const gateway = new Gateway({ SAUCENAO_API_KEY: "", SERPAPI_API_KEY: "" });
    const { status, answer } = await search(gateway, { image_url: UNKNOWN });
    expect(status).toBe(503);
    expect(JSON.stringify(answer.attempts)).toContain("SAUCENAO_API_KEY");
    expect(JSON.stringify(answer.attempts)).toContain("SERPAPI_API_KEY");
  });
});

describe("an image given as data", () => {
  const uploaded = async () => (await env.BUCKET.list({ prefix: "tenants/local/reverse-image/" })).objects;

  it("is shown to the engines under a signed link of our own, and gone after", async () => {
    const gateway = new Gateway();
    const { status } = await search(gateway, { image_data_url: PIXEL, mode: "cascade" });
    expect(status).toBe(200);
    const { requests } = await gateway.calls();
    const [{ query }] = requests as [UpstreamCall];
    const shown = (query as Record<string, string>)["url"] ?? "";
    expect(shown).toMatch(/^https:\/\/sluice\.test\/s\/[\w-]+\.[\w-]+\/image\.png$/);
    const [payload = ""] = new URL(shown).pathname.split("/")[2]!.split(".");
    const grant = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as [
      string,
      string,
      string[],
      number,
    ];
    expect(grant[2]).toEqual(["read"]);
    expect(grant[3] * 1_000 - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(await uploaded()).toEqual([]);
    expect((await gateway.fetch(new URL(shown).pathname)).status).toBe(404);
    expect(requests.some(({ host }) => host === "api.imgbb.com")).toBe(false);
  });

  it("is gone as well when every engine failed", async () => {
    const gateway = new Gateway();
    await gateway.fault("serpapi", { class: "transient" });
    expect((await search(gateway, { image_data_url: PIXEL, mode: "cascade" })).status).toBe(502);
    expect(await uploaded()).toEqual([]);
  });

  it.each([
    [{ PUBLIC_URL: "", IMGBB_API_KEY: "" }, "PUBLIC_URL"],
    [{ SIGNING_SECRET: "", IMGBB_API_KEY: "" }, "SIGNING_SECRET"],
  ])("is 503 and names the setting with %o", async (variables, setting) => {
    const { status, answer } = await search(new Gateway(variables), { image_data_url: PIXEL });
    expect([status, answer.code]).toEqual([503, "misconfigured"]);
    expect(answer.detail).toContain(setting);
  });

  it("goes to ImgBB, for minutes, only where our origin cannot be reached and the key is there", async () => {
    const gateway = new Gateway({ PUBLIC_URL: "http://localhost:8787" });
    const { status } = await search(gateway, { image_data_url: PIXEL, mode: "cascade" });
    expect(status).toBe(200);
    const { requests } = await gateway.calls();
    expect(requests[0]?.host).toBe("api.imgbb.com");
    expect(await uploaded()).toEqual([]);
  });

  it("is 502 when ImgBB fails", async () => {
    const gateway = new Gateway({ PUBLIC_URL: "" });
    await gateway.fault("imgbb", { class: "auth" });
    const { status, answer } = await search(gateway, { image_data_url: PIXEL });
    expect(status).toBe(502);
    expect(answer.attempts).toEqual([expect.objectContaining({ provider: "imgbb", class: "auth" })]);
  });

  it.each([
    ["data:image/png;base64,%%%", "base64"],
    ["data:image/png;base64,aGVsbG8=", "/image_data_url"],
    ["data:image/svg+xml;base64,PHN2Zy8+", "/image_data_url"],
    ["data:text/html;base64,aGVsbG8=", "data URL of an image"],
  ])("is refused when it is no picture: %s", async (dataUrl, words) => {
    const response = await new Gateway().post(PATH, { image_data_url: dataUrl });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
  });

  it("may be larger than other bodies", async () => {
    const large = `data:image/png;base64,${"A".repeat(200_000)}`;
    expect((await new Gateway().post(PATH, { image_data_url: large })).status).toBe(400);
  });
});

describe("an address given", () => {
  it.each([
    "http://127.0.0.1/a.jpg",
    "https://localhost/a.jpg",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/a.jpg",
    "https://metadata.google.internal/a.jpg",
    "ftp://a.example/a.jpg",
    "https://user:pass@a.example/a.jpg",
    "https://a.example:8443/a.jpg",
    "not a url",
  ])("is refused before any engine hears of it: %s", async (address) => {
    const gateway = new Gateway();
    const response = await gateway.post(PATH, { image_url: address });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("/image_url");
    expect((await gateway.calls()).requests).toEqual([]);
  });

  it("is needed, or data, not both", async () => {
    for (const body of [{}, { image_url: UNKNOWN, image_data_url: PIXEL }]) {
      expect((await new Gateway().post(PATH, body)).status).toBe(400);
    }
  });
});
