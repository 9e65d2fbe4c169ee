import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { Gateway } from "./gateway.ts";
import { Project } from "./candidate-project.ts";

/** Each would break out of where it is put, if it were taken for more than text. */
const HOSTILE =
  "Alps\r\nSet-Cookie: a=b\u0000\u202e <script>alert(1)</script> [x](javascript:alert(2)) ![y](https://evil.example/p.png) =cmd|'/c calc'!A1 \"; filename=\"evil.html <img src=x onerror=alert(1) x=";

const FILENAMES: readonly string[] = [
  "../../evil.jpg",
  "..\\evil.jpg",
  "/etc/evil.jpg",
  "C:evil.jpg",
  "a/b.jpg",
  "a\r\nset-cookie: x=y.jpg",
  "a\0.jpg",
  "\u202egpj.jpg",
  ".htaccess.jpg",
  "..jpg",
  "evil.svg",
  "evil.html",
  "evil.jpg/",
  "evil.jpg ",
];

/** A project whose one picture has everything hostile in what was said of it. */
async function hostileProject(): Promise<Project> {
  const project = new Project({ LICENSED_IMAGE_CHAIN: "pexels" });
  const address = `${project.gateway.scopeUrl}/api.pexels.com/v1/search?query=sheep%20in%20March&per_page=8&page=1`;
  const headers = { authorization: TEST_KEYS["PEXELS_API_KEY"]!, "user-agent": "Sluice (ops@sluice.example)" };
  const found = await (await fetch(address, { headers })).json<{ photos: Record<string, unknown>[] }>();
  expect(found.photos.length).toBeGreaterThan(0);
  const photos = found.photos.map((photo) => ({
    ...photo,
    alt: `Sheep in March ${HOSTILE}`,
    photographer: HOSTILE,
    url: `${String(photo["url"])}?x="><script>(`,
  }));
  await project.gateway.fault("pexels", { status: 200, body: JSON.stringify({ ...found, photos }) });
  return project;
}

describe("what others wrote", () => {
  it("is text in CREDITS.md, in the manifest and in the credit's HTML, and in no header", async () => {
    const project = await hostileProject();
    const stored = await project.search({ save_candidates: false, query: "sheep in March" });
    expect(stored.status).toBe(201);
    const { item } = await stored.clone().json<{ item: { credit: { html: string; markdown: string } } }>();
    expect(item.credit.html).not.toMatch(/<(?!\/?a\b)/);
    expect(item.credit.html).not.toMatch(/(?:href|src)="(?!https:)/);
    const archive = await project.gateway.fetch(`${project.path}/archive.zip`);
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const credits = strFromU8(files["CREDITS.md"]!);
    expect(credits).toContain("alert(1)");
    expect(credits).not.toMatch(/(?<!\\)<|(?<!\\)!\[|(?<!\\)\]\((?!https:)/);
    for (const unseen of ["\u0000", "\u202e"]) expect(credits).not.toContain(unseen);
    expect(credits.split("\n").filter((line) => /^(?:Set-Cookie|=|<)/.test(line))).toEqual([]);
    for (const response of [stored, archive]) {
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(JSON.stringify([...response.headers])).not.toMatch(/script|evil/);
    }
    expect(archive.headers.get("content-disposition")).toMatch(/^attachment; filename="c\d+\.zip"$/);
  });

  it("is no part of Server-Timing, whatever an upstream answers", async () => {
    const gateway = new Gateway({ WEB_CHAIN: "serpapi" });
    await gateway.fault("serpapi", { status: 500, body: JSON.stringify({ error: HOSTILE }) });
    const failed = await gateway.post("/v1/web-search", { query: HOSTILE });
    await failed.body?.cancel();
    expect(failed.headers.get("server-timing")).toMatch(/^serpapi[\w.;="-]*$/);
  });

  it("is JSON in a problem, never markup, and the page of a problem is plain text", async () => {
    const gateway = new Gateway();
    const refused = await gateway.post("/v1/web-search", { query: "cat", [HOSTILE]: HOSTILE });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
    for (const path of [`/problems/${encodeURIComponent(HOSTILE)}`, `/${encodeURIComponent(HOSTILE)}`]) {
      const missing = await gateway.fetch(path);
      expect(missing.headers.get("content-type")).toBe("application/problem+json");
      expect(await missing.text()).not.toContain("<script>");
    }
    const page = await gateway.fetch("/problems/no-match");
    expect(page.headers.get("content-type")).toMatch(/^text\/plain/);
  });
});

describe("a filename", () => {
  it.each(FILENAMES)("%j is refused by everything that takes one, and in no archive", async (filename) => {
    const project = new Project();
    const body = { filename, query: "french alpine landscape", save_candidates: false };
    const segment = encodeURIComponent(filename);
    const put = {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"url":"https://odd.example/progressive.jpg","min_width":1,"min_height":1}',
    };
    const answers = [
      await project.search(body),
      await project.gateway.post(`${project.path}/batches`, {
        items: [{ ...body, save_candidates: undefined, status: "Pending" }],
      }),
      await project.gateway.fetch(`${project.path}/images/${segment}/from-url`, put),
    ];
    expect(answers.map(({ status }) => status === 400)).toEqual([true, true, true]);
    expect((await project.gateway.fetch(`${project.path}/archive.zip`)).status).toBe(404);
  });

  it("with letters of any language stays what it is, in headers too", async () => {
    const project = new Project();
    const filename = "山城 \"step\";x=y,'é'.jpg";
    const more = { min_width: 1, min_height: 1 };
    const stored = await project.fromUrl("https://odd.example/progressive.jpg", more, encodeURIComponent(filename));
    expect(stored.status).toBe(201);
    const archive = await project.gateway.fetch(`${project.path}/archive.zip`);
    const names = Object.keys(unzipSync(new Uint8Array(await archive.arrayBuffer())));
    expect(names).toContain(`images/${filename}`);
    expect(names.every((name) => !name.startsWith("/") && !name.split("/").includes(".."))).toBe(true);
  });
});
