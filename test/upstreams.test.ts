import { afterAll, beforeAll, describe, expect, it } from "vitest";
import sharp from "sharp";
import { type LicenseId, useOf } from "./upstreams/catalogue/licenses.ts";
import { OPENVERSE } from "./upstreams/catalogue/openverse.ts";
import { PAGES } from "./upstreams/catalogue/pages.ts";
import { PEXELS } from "./upstreams/catalogue/pexels.ts";
import type { Picture } from "./upstreams/catalogue/picture.ts";
import { PIXABAY, within } from "./upstreams/catalogue/pixabay.ts";
import { WEB_IMAGES } from "./upstreams/catalogue/web-images.ts";
import { WIKIMEDIA } from "./upstreams/catalogue/wikimedia.ts";
import { FAULT_CASES } from "./upstreams/fault-cases.ts";
import { TEST_KEYS } from "./upstreams/keys.ts";
import { search } from "./upstreams/matching.ts";
import { startUpstreams, type Upstreams } from "./upstreams/server.ts";

const AGENT = "Test/1.0 (https://test.example; test@test.example)";
const QUERIES = ["airplane from above", "french alpine landscape", "cat", "boats in Nagasaki", "flower", "canyon"];

let upstreams: Upstreams;
beforeAll(async () => {
  upstreams = await startUpstreams({ port: 0 });
});
afterAll(() => upstreams.close());

/** Asks for `https://<address>` through the simulator. */
function ask(scope: string, address: string, init: RequestInit = {}): Promise<Response> {
  const headers = { "user-agent": AGENT, ...(init.headers as Record<string, string> | undefined) };
  return fetch(`${upstreams.url}/__scope/${scope}/${address}`, { redirect: "manual", ...init, headers });
}

async function tell(scope: string, control: string, body: unknown): Promise<void> {
  const response = await ask(scope, control, { method: "PUT", body: JSON.stringify(body) });
  expect(response.status).toBe(204);
}

async function answerOf<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

interface Report {
  readonly requests: Record<string, unknown>[];
  readonly peakInFlight: number;
}

async function requests(scope: string): Promise<Report> {
  return answerOf(await ask(scope, "__requests"));
}

async function sizeOf(response: Response): Promise<string> {
  const { width, height } = await sharp(await response.arrayBuffer()).metadata();
  return `${width}x${height}`;
}

const serpapi = (query: string): string =>
  `serpapi.com/search.json?engine=google&q=${query}&api_key=${TEST_KEYS.SERPAPI_API_KEY}`;
const commons = (parameters: string): string =>
  `commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&generator=search&gsrnamespace=6&${parameters}`;

const isLarge = ({ width, height }: { width: number; height: number }): boolean => width >= 1200 && height >= 800;
const isUsable = (record: { picture: Picture; trouble?: string }): boolean =>
  record.trouble === undefined && isLarge(record.picture);
const isNamed = (license: LicenseId, author: string): boolean =>
  useOf(license) === "free" || (useOf(license) === "with-author" && author !== "");

describe("the catalogue", () => {
  it.each(QUERIES)("has enough for %s at every provider", (query) => {
    const acceptable = {
      wikimedia: search(WIKIMEDIA, query).filter(
        (record) =>
          isUsable(record) && isNamed(record.license, record.artistHtml) && /\.(jpg|png|webp)$/.test(record.title),
      ),
      openverse: search(OPENVERSE, query).filter(
        (record) => isUsable(record) && isNamed(record.license, record.creator) && record.filetype === "jpg",
      ),
      pexels: search(PEXELS, query).filter(isUsable),
      pixabay: search(PIXABAY, query).filter(
        (record) => record.expired !== true && isLarge(within(record.picture, 1280)),
      ),
    };
    for (const records of Object.values(acceptable)) expect(records.length).toBeGreaterThanOrEqual(6);
    expect(search(WEB_IMAGES, query).filter(({ trouble }) => trouble === undefined).length).toBeGreaterThanOrEqual(14);
    expect(search(PAGES, query).length).toBeGreaterThanOrEqual(12);
  });

  it("finds Chinese by substring, and other words whole", () => {
    expect(search(WIKIMEDIA, "解放碑").map(({ title }) => title)).toContain("解放碑 老照片 重庆.jpg");
    expect(search(WIKIMEDIA, "cats in a strange place").length).toBe(0);
    expect(search(WIKIMEDIA, "ome")).toEqual([]);
  });
});

describe("the upstreams", () => {
  it.each([
    [serpapi("cat").replace(TEST_KEYS.SERPAPI_API_KEY!, "wrong"), 401],
    [`www.googleapis.com/customsearch/v1?q=cat&cx=${TEST_KEYS.GOOGLE_CSE_ID}&key=wrong`, 400],
    ["api.search.brave.com/res/v1/web/search?q=cat", 422],
    ["api.pexels.com/v1/search?query=cat", 401],
    ["pixabay.com/api/?key=wrong&q=cat", 400],
    ["api.openverse.org/v1/images/?q=cat&page_size=21", 401],
    [`pixabay.com/api/?key=${TEST_KEYS.PIXABAY_API_KEY}&q=cat&per_page=2`, 400],
    ["nowhere.example/", 502],
  ])("%s is refused with %i", async (address, status) => {
    expect((await ask("refusals", address)).status).toBe(status);
  });

  it("page through the same list", async () => {
    const answers = await Promise.all(
      [0, 10].map(async (start) =>
        answerOf<{ organic_results: { link: string }[] }>(await ask("pages", `${serpapi("cat")}&start=${start}`)),
      ),
    );
    const links = answers.flatMap((answer) => answer.organic_results.map(({ link }) => link));
    expect(links.length).toBeGreaterThanOrEqual(12);
    expect(new Set(links).size).toBe(links.length);
  });

  it("answer Commons clients that name a contact, with thumbnails of standard widths", async () => {
    const address = commons("gsrsearch=boats+nagasaki&prop=imageinfo&iiprop=url&iiurlwidth=1024");
    expect((await ask("commons", address, { headers: { "user-agent": "curl/8" } })).status).toBe(403);
    const { query } = await answerOf<{ query: { pages: { imageinfo: { thumbwidth: number; thumburl: string }[] }[] } }>(
      await ask("commons", address),
    );
    const info = query.pages[0]!.imageinfo[0]!;
    expect(info.thumbwidth).toBe(1280);
    const thumbnail = info.thumburl.replace("https://", "");
    expect(await sizeOf(await ask("commons", thumbnail))).toMatch(/^1280x/);
    expect((await ask("commons", thumbnail.replace("1280px", "1000px"))).status).toBe(400);
    const redirect = await ask(
      "commons",
      "commons.wikimedia.org/wiki/Special:Redirect/file/A_March_pastoral.jpg?width=960",
    );
    expect(redirect.headers.get("location")).toMatch(/\/960px-A_March_pastoral\.jpg$/);
  });

  it("serve of Pixabay less than is claimed, and nothing under an old address", async () => {
    const address = `pixabay.com/api/?key=${TEST_KEYS.PIXABAY_API_KEY}&q=canyon+colorado`;
    const { hits } = await answerOf<{ hits: { imageWidth: number; imageHeight: number; largeImageURL: string }[] }>(
      await ask("pixabay", address),
    );
    expect(hits[0]).toMatchObject({ imageWidth: 4836, imageHeight: 2915 });
    const file = hits[0]!.largeImageURL.replace("https://", "");
    expect(await sizeOf(await ask("pixabay", file))).toBe("1280x772");
    expect((await ask("pixabay", file.replace("/get/", "/get/expired-"))).status).toBe(404);
  });

  it("enforce rates in a scope of their own, and as they are told", async () => {
    await tell("rates", "__limits", { openverse: { perMinute: 1 } });
    const address = "api.openverse.org/v1/images/?q=cat";
    expect((await ask("rates", address)).status).toBe(200);
    const throttled = await ask("rates", address);
    expect(throttled.status).toBe(429);
    expect(await throttled.text()).toMatch(/available in \d+ seconds/);
    expect((await ask("rates-elsewhere", address)).status).toBe(200);
  });
});

describe("faults", () => {
  it("show each case as the table has it, with the caller's key, as often as told", async () => {
    const wanted = FAULT_CASES.serpapi!.find(({ id }) => id === "hourly-throughput")!;
    await tell("case", "__faults/serpapi", { case: wanted.id, times: 1, match: "q=cat" });
    expect((await ask("case", serpapi("flower"))).status).toBe(200);
    const failed = await ask("case", serpapi("cat"));
    expect(failed.status).toBe(wanted.status);
    expect(await failed.text()).toContain(TEST_KEYS.SERPAPI_API_KEY);
    expect((await ask("case", serpapi("cat"))).status).toBe(200);
  });

  it("hang until the client leaves, and the log says that it left", async () => {
    await tell("hang", "__faults/serpapi", { hang: true });
    await expect(ask("hang", serpapi("cat"), { signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/);
    await expect
      .poll(async () => (await requests("hang")).requests[0])
      .toMatchObject({ upstream: "serpapi", aborted: true });
  });

  it("cut a body that was promised whole", async () => {
    await tell("cut", "__faults/images", { truncate: 500 });
    const response = await ask("cut", "odd.example/progressive.jpg");
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(50_000);
    await expect(response.arrayBuffer()).rejects.toThrow(/terminated/);
    expect((await requests("cut")).requests[0]).not.toHaveProperty("aborted");
  });

  it("slow a body down", async () => {
    await tell("slow", "__faults/images:odd.example", { slowBody: { bytesPerSecond: 800 } });
    const started = performance.now();
    expect((await (await ask("slow", "odd.example/document.pdf")).arrayBuffer()).byteLength).toBeGreaterThan(300);
    expect(performance.now() - started).toBeGreaterThan(250);
  });

  it("answer with a bomb, and with a redirect to wherever", async () => {
    await tell("bomb", "__faults/images", { bomb: true, times: 1 });
    const bomb = await ask("bomb", "odd.example/tiny.jpg");
    expect(Number(bomb.headers.get("content-length"))).toBeLessThan(60_000);
    expect(await sharp(await bomb.arrayBuffer(), { limitInputPixels: false }).metadata()).toMatchObject({
      width: 20_000,
    });
    await tell("bomb", "__faults/images", { redirect: "http://169.254.169.254/" });
    expect((await ask("bomb", "odd.example/tiny.jpg")).headers.get("location")).toBe("http://169.254.169.254/");
  });

  it("are refused when they are misspelt", async () => {
    for (const body of ['{"hangs": true}', '{"case": "no-such-row"}', "{"]) {
      expect((await ask("typo", "__faults/brave", { method: "PUT", body })).status).toBe(400);
    }
  });

  it("let latency show what is asked at the same time, and Commons takes three", async () => {
    await tell("busy", "__faults/wikimedia", { latencyMs: 300 });
    const all = await Promise.all(Array.from({ length: 4 }, () => ask("busy", commons("gsrsearch=cat"))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
    expect((await requests("busy")).peakInFlight).toBe(4);
  });

  it("never keep the server from closing", async () => {
    const another = await startUpstreams();
    await fetch(`${another.url}/__faults/serpapi`, { method: "PUT", body: '{"hang": true}' });
    const hanging = fetch(`${another.url}/${serpapi("cat")}`).catch((error: unknown) => error);
    await expect
      .poll(async () => (await answerOf<Report>(await fetch(`${another.url}/__requests`))).requests)
      .toHaveLength(1);
    await another.close();
    expect(await hanging).toBeInstanceOf(Error);
  });
});
