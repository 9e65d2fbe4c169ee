import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { ImageRecord } from "../../src/images/commit.ts";
import { objectKey } from "../../src/storage/objects.ts";
import { Gateway } from "./gateway.ts";

interface Finding {
  filename: string;
  page?: string;
  detail: string;
}

interface Checkpoint {
  complete: boolean;
  lines: { id: string; requirement: string; ok: boolean | null; problems: Finding[]; warnings: Finding[] }[];
  pages: { name: string; images: string[] }[];
}

const gateway = new Gateway();

async function ended(items: object[], options: object = {}): Promise<{ name: string; url: string }> {
  const name = `c-${crypto.randomUUID().slice(0, 8)}`;
  const response = await gateway.post(`/v1/projects/${name}/batches`, { items, options });
  const { url } = await response.json<{ url: string }>();
  for (;;) {
    const { state } = await (await gateway.fetch(url)).json<{ state: string }>();
    if (state !== "running") return { name, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const row = (filename: string, query: string) => ({ filename, query, status: "Pending" });
const read = async (response: Promise<Response>) => (await response).json<Checkpoint>();
const line = (result: Checkpoint, id: string) => result.lines.find((each) => each.id === id)!;

/** The image as if Jane Doe had put it under CC BY-SA. */
async function owe(project: string, filename: string): Promise<ImageRecord> {
  const stub = env.PROJECTS.getByName(`local/${project}`);
  const record = (await stub.image(filename)) as ImageRecord;
  const terms = {
    author: "Jane Doe",
    license_name: "CC BY-SA 4.0",
    license_url: "https://creativecommons.org/licenses/by-sa/4.0/",
    license_tier: "attribution-required",
    attribution_required: true,
    attribution_text: `${filename} — by Jane Doe — license: CC BY-SA 4.0`,
  };
  const item = { ...record.item, ...terms } as ImageRecord["item"];
  await stub.commit({ tenant: "local", project }, { ...record, item }, Date.now());
  return record;
}

describe("the checkpoint of a batch", () => {
  it("names what is open, until every row has its end, its file and its credit", async () => {
    const { name, url } = await ended([row("plane.jpg", "airplane from above"), row("none.jpg", "zzqqxxyy")]);
    const record = await owe(name, "plane.jpg");
    const before = await read(gateway.fetch(`${url}/checkpoint`));
    expect(before.lines.map(({ id, ok }) => [id, ok])).toEqual([
      ["rows-ended", true],
      ["selection-method", true],
      ["manifest-entries", true],
      ["page-credits", null],
      ["size-warnings", true],
      ["manual-reasons", true],
    ]);
    expect(before).toMatchObject({ complete: false, pages: [] });

    const svg = (credit: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg"><image href="../images/plane.jpg"/>${credit}</svg>`;
    const pages = [
      { name: "01.svg", svg: svg("<text>© Jane Doe / Wikimedia / CC BY-SA 4.0</text>") },
      { name: "02.md", text: "No picture here." },
    ];
    const after = await read(gateway.post(`${url}/checkpoint`, { pages }));
    expect(after).toMatchObject({
      complete: true,
      pages: [
        { name: "01.svg", images: ["plane.jpg"] },
        { name: "02.md", images: [] },
      ],
    });
    const hidden = { name: "03.svg", svg: svg('<text opacity="0">Jane Doe / CC BY-SA</text>') };
    const faulty = await read(gateway.post(`${url}/checkpoint`, { pages: [...pages, hidden] }));
    expect(faulty.complete).toBe(false);
    expect(line(faulty, "page-credits").problems).toMatchObject([{ filename: "plane.jpg", page: "03.svg" }]);

    await env.BUCKET.delete(objectKey("local", record.sha256));
    const lost = await read(gateway.post(`${url}/checkpoint`, { pages }));
    expect(line(lost, "rows-ended")).toMatchObject({ ok: false, problems: [{ filename: "plane.jpg" }] });
  });

  it("keeps a row open whose candidate nobody has chosen", async () => {
    const { url } = await ended([row("alps.jpg", "french alpine landscape")], { save_candidates: true });
    const result = await read(gateway.fetch(`${url}/checkpoint`));
    expect(result.complete).toBe(false);
    expect(line(result, "rows-ended").problems).toMatchObject([
      { filename: "alps.jpg", detail: expect.stringContaining("Needs-Selection") },
    ]);
  });

  it("refuses what is no list of pages, and knows no foreign batch", async () => {
    const { name, url } = await ended([row("none.jpg", "zzqqxxyy")]);
    for (const pages of [[], [{ name: "1" }], [{ name: "1", svg: "<svg/>", text: "x" }], [{ svg: "<svg/>" }], "x"]) {
      expect((await gateway.post(`${url}/checkpoint`, { pages })).status).toBe(400);
    }
    const ofMegabytes = (count: number) => ({ pages: [{ name: "1", text: "x".repeat(count * 1024 * 1024) }] });
    expect((await gateway.post(`${url}/checkpoint`, ofMegabytes(3))).status).toBe(200);
    expect((await gateway.post(`${url}/checkpoint`, ofMegabytes(5))).status).toBe(413);
    expect((await gateway.fetch(`/v1/projects/${name}/batches/b_none/checkpoint`)).status).toBe(404);
    expect((await gateway.fetch(`${url}/checkpoint`, { method: "PUT" })).headers.get("allow")).toBe("GET, POST");
  });
});
