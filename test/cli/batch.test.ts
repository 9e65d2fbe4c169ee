import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../crash/until.ts";
import { filesIn, itemsIn, type Json, readJson, type Running, World } from "./program.ts";

const ALPS = { filename: "alps.jpg", query: "french alpine landscape", provider: "pexels", status: "Pending" };
const PLANE = { filename: "plane.jpg", query: "airplane from above", provider: "pexels", status: "Pending" };
const CAT = { filename: "cat.jpg", query: "locomotion house cat", provider: "wikimedia", status: "Pending" };
const NOTHING = { filename: "atlantis.jpg", query: "zzqqzz", provider: "wikimedia", status: "Pending" };
const PICTURE = "https://images.pexels.com/photos/1240028/pexels-photo-1240028.jpeg";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterEach(() => world.heal());
afterAll(() => world.close());

async function batch(items: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) {
  const folder = await world.folder({ "image_queries.json": { ...more, items } });
  return { folder, args: ["images", "--batch", join(folder, "image_queries.json")] };
}

async function rowsOf(folder: string): Promise<Json[]> {
  return itemsIn(folder, "image_queries.json");
}

async function statusesOf(folder: string): Promise<string[]> {
  return (await rowsOf(folder)).map((row) => row["status"] as string);
}

/** Waits until a row has come to its end while the others are held up. */
function firstRow(running: Running, folder: string): Promise<boolean> {
  return until("one row is saved", 30_000, async () => {
    if (running.process.exitCode !== null) throw new Error(running.said());
    return (await statusesOf(folder)).includes("Sourced");
  });
}

describe("a batch", () => {
  it("brings rows to their ends, keeps what their author wrote, and tells by its exit code", async () => {
    const mine = { ...ALPS, slide: "04", note: { any: ["thing"] } };
    const { folder, args } = await batch([mine, NOTHING, { ...PLANE, status: "Failed", last_error: "old" }], {
      deck: 7,
    });
    const ran = await world.run(args);
    expect(ran.code).toBe(1);
    expect(ran.stderr.split("\n").filter((line) => line.startsWith("alps.jpg  Sourced"))).toHaveLength(1);
    const file = await readJson(folder, "image_queries.json");
    expect(file["deck"]).toBe(7);
    const [alps, nothing, plane] = file["items"] as [Json, Json, Json];
    expect(alps).toEqual({ ...mine, status: "Sourced", sourced_from: "pexels", license_tier: "no-attribution" });
    expect(nothing).toMatchObject({
      status: "Needs-Manual",
      last_error: expect.stringContaining("no image qualifies"),
    });
    expect(plane).toEqual({ ...PLANE, status: "Sourced", sourced_from: "pexels", license_tier: "no-attribution" });
    expect((await itemsIn(folder)).map((item) => item["filename"]).toSorted()).toEqual(["alps.jpg", "plane.jpg"]);
    expect(await filesIn(folder)).toContain(".review/alps.jpg");

    // Nothing is open any more, and rows that ended before do not count.
    await world.calls();
    expect((await world.run(args)).code).toBe(0);
    expect(await world.calls()).toEqual([]);
  });

  it("shows candidates, then their next page, then takes one", async () => {
    const { folder, args } = await batch([ALPS, CAT]);
    const { code, document } = await world.json([...args, "--save-candidates", "--max-candidates", "3"]);
    expect([code, document["counts"]]).toEqual([0, { "Needs-Selection": 2 }]);
    const [alps] = await rowsOf(folder);
    expect(alps).toEqual({
      ...ALPS,
      status: "Needs-Selection",
      candidate_page: 1,
      candidate_count: 3,
      candidate_total: expect.any(Number),
      has_more_candidates: true,
      next_candidate_page: 2,
      review_sheet: "candidates/alps/review_sheet.jpg",
    });
    expect(await filesIn(folder)).not.toContain("alps.jpg");
    expect(await filesIn(folder)).not.toContain("image_sources.json");

    // By the row, as the manual says.
    const rows = (await rowsOf(folder)).map((row) =>
      row["filename"] === "alps.jpg" ? { ...row, candidate_page: 2, status: "Pending" } : row,
    );
    await writeFile(join(folder, "image_queries.json"), JSON.stringify({ items: rows }));
    expect((await world.run([...args, "--save-candidates", "--max-candidates", "3"])).code).toBe(0);
    const file = await readJson(folder, "candidates/alps/candidates.json");
    expect(file["candidates"].map((each: Json) => each["rank"])).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await rowsOf(folder))[0]).toMatchObject({ status: "Needs-Selection", candidate_page: 2 });

    const promote = ["images", "--promote", "candidate_05.jpg", "--filename", "alps.jpg", "-o", folder];
    expect((await world.run([...promote, "--batch", join(folder, "image_queries.json")])).code).toBe(0);
    const [promoted] = await rowsOf(folder);
    expect(promoted).toEqual({
      ...ALPS,
      candidate_page: 2,
      status: "Sourced",
      sourced_from: "pexels",
      license_tier: "no-attribution",
    });
  });

  it("turns every shortlist to --candidate-page that has such a page, and leaves the others", async () => {
    const { folder, args } = await batch([ALPS, { ...CAT, query: "square cat" }]);
    const all = [...args, "--save-candidates"];
    await world.run([...all, "--max-candidates", "4"]);
    const before = await rowsOf(folder);
    const short = before.map((row, index) => (index === 1 ? { ...row, candidate_total: 4 } : row));
    await writeFile(join(folder, "image_queries.json"), JSON.stringify({ items: short }));
    // On a service that has forgotten the pools, or never had them.
    const ran = await world.run([...all, "--max-candidates", "4", "--candidate-page", "2", "--project", "fresh-one"]);
    expect(ran.code).toBe(0);
    const rows = await rowsOf(folder);
    expect(rows.map((row) => [row["status"], row["candidate_page"]])).toEqual([
      ["Needs-Selection", 2],
      ["Needs-Selection", 1],
    ]);
    expect(rows[1]).toEqual(short[1]);
  });

  it("gives its flags to rows that say nothing themselves, and does not write them down", async () => {
    const plain = { filename: "plane.jpg", query: "airplane from above", status: "Pending" };
    const { folder, args } = await batch([plain, { ...CAT, orientation: "landscape" }]);
    expect(
      (await world.run([...args, "--provider", "openverse", "--strict-no-attribution", "--slide", "9"])).code,
    ).toBe(0);
    const items = await itemsIn(folder);
    const plane = items.find((item) => item["filename"] === "plane.jpg");
    const cat = items.find((item) => item["filename"] === "cat.jpg");
    expect(plane).toMatchObject({ provider: "openverse", license_tier: "no-attribution", slide: "9" });
    expect(cat).toMatchObject({ provider: "wikimedia", orientation: "landscape" });
    expect((await rowsOf(folder))[0]).toEqual({
      ...plain,
      status: "Sourced",
      sourced_from: "openverse",
      license_tier: "no-attribution",
    });
  });

  it.each([
    [[], {}, 3],
    [["--concurrency", "1"], { IMAGE_SEARCH_CONCURRENCY: "5" }, 1],
    [[], { IMAGE_SEARCH_CONCURRENCY: "5" }, 5],
  ])("runs %j %j: %i rows at once", async (flags, env, expected) => {
    const { args } = await batch([NOTHING]);
    const project = `concurrency-${expected}`;
    await world.run([...args, ...flags, "--project", project], { env });
    const { batches } = await world.ask(`/v1/projects/${project}/batches`);
    const { options } = await world.ask(batches[0].url as string);
    expect(options.concurrency).toBe(expected);
  });
});

describe("what the folder says of rows", () => {
  it("finds Sourced rows that drifted, and searches them again", async () => {
    const items = [ALPS, PLANE, CAT].map((row) => ({ ...row }));
    const { folder, args } = await batch(items);
    await world.run(args);
    await rm(join(folder, "alps.jpg"));
    await writeFile(join(folder, "plane.jpg"), "no picture");
    const sources = await itemsIn(folder);
    const kept = sources.filter((item) => item["filename"] !== "cat.jpg");
    await writeFile(join(folder, "image_sources.json"), JSON.stringify({ items: kept }));
    const ran = await world.json(args);
    expect(ran.code).toBe(0);
    expect(ran.document["rows"]).toHaveLength(3);
    expect(await statusesOf(folder)).toEqual(["Sourced", "Sourced", "Sourced"]);
    expect(await itemsIn(folder)).toHaveLength(3);
  });

  it("judges a Sourced file by what the row asks for, and says why it is Failed", async () => {
    const { folder, args } = await batch([ALPS]);
    await world.run(args);
    const [row] = await rowsOf(folder);
    await writeFile(join(folder, "image_queries.json"), JSON.stringify({ items: [{ ...row, min_width: 19_000 }] }));
    expect((await world.run(args)).code).toBe(1);
    expect((await rowsOf(folder))[0]).toMatchObject({ status: "Needs-Manual" });
  });

  it("never searches over an image that a person chose", async () => {
    const { folder, args } = await batch([ALPS]);
    await world.run(["images", "--from-url", PICTURE, "--filename", "alps.jpg", "-o", folder]);
    expect(await statusesOf(folder)).toEqual(["Pending"]);
    const bytes = await readFile(join(folder, "alps.jpg"));
    expect((await world.run(args)).code).toBe(0);
    expect((await rowsOf(folder))[0]).toMatchObject({
      status: "Sourced",
      sourced_from: "manual",
      license_tier: "manual",
    });
    expect((await readFile(join(folder, "alps.jpg"))).equals(bytes)).toBe(true);
  });

  it("reconciles a row with --from-url and --batch together", async () => {
    const { folder, args } = await batch([{ ...ALPS, status: "Needs-Manual", last_error: "none" }]);
    const fromUrl = ["images", "--from-url", PICTURE, "--filename", "alps.jpg", "-o", folder, ...args.slice(1)];
    expect((await world.run(fromUrl)).code).toBe(0);
    expect((await rowsOf(folder))[0]).toMatchObject({ status: "Sourced", license_tier: "manual" });
    expect((await rowsOf(folder))[0]).not.toHaveProperty("last_error");
  });

  it("takes a row whose extension was changed for a new one", async () => {
    const { folder, args } = await batch([ALPS]);
    await world.run([...args, "--save-candidates", "--max-candidates", "1"]);
    const renamed = { ...ALPS, filename: "alps.png" };
    await writeFile(join(folder, "image_queries.json"), JSON.stringify({ items: [renamed] }));
    expect((await world.run(args)).code).toBe(0);
    expect(await statusesOf(folder)).toEqual(["Sourced"]);
  });

  it.each([
    ["{", "not JSON"],
    ['{"rows": []}', "items"],
    [JSON.stringify({ items: [{ ...ALPS, status: "pending" }] }), "/items/0/status"],
    [JSON.stringify({ items: [{ ...ALPS, query: " " }] }), "/items/0/query"],
    [JSON.stringify({ items: [ALPS, { ...PLANE, filename: "ALPS.JPG" }] }), "twice"],
    [JSON.stringify({ items: [ALPS, { ...PLANE, filename: "alps.png" }] }), "extension"],
    [JSON.stringify({ items: [{ ...ALPS, provider: "bing" }] }), "alps.jpg: /provider"],
    [JSON.stringify({ items: [{ ...ALPS, orientation: "round" }] }), "alps.jpg: /orientation"],
    [JSON.stringify({ items: [{ ...ALPS, filename: "alps" }] }), "must end in"],
  ])("refuses %s as a whole", async (text, why) => {
    const folder = await world.folder({ "image_queries.json": text });
    await world.calls();
    const ran = await world.run(["images", "--batch", "image_queries.json"], { cwd: folder });
    expect([ran.code, ran.stderr.includes(why)]).toEqual([1, true]);
    expect(await readFile(join(folder, "image_queries.json"), "utf8")).toBe(text);
    expect(await world.calls()).toEqual([]);
  });

  it("is stopped by a manifest that cannot be read, before any network", async () => {
    const { folder, args } = await batch([ALPS]);
    await writeFile(join(folder, "image_sources.json"), "{");
    await world.calls();
    expect((await world.run(args)).code).toBe(1);
    expect(await world.calls()).toEqual([]);
    expect(await statusesOf(folder)).toEqual(["Pending"]);
  });
});

describe("a run that is cut off", () => {
  const SLOW = { latencyMs: 8_000 };

  it("loses nothing that was saved when it is killed, and goes on when it is called again", async () => {
    const { folder, args } = await batch([CAT, ALPS, PLANE]);
    await world.tell("/__faults/pexels", SLOW);
    const running = world.start(args);
    await firstRow(running, folder);
    running.process.kill("SIGKILL");
    await running.ended;
    const cat = await readFile(join(folder, "cat.jpg"));
    expect((await itemsIn(folder)).map((item) => item["filename"])).toEqual(["cat.jpg"]);
    expect(await statusesOf(folder)).toEqual(["Sourced", "Pending", "Pending"]);
    await world.heal();
    expect((await world.run(args)).code).toBe(0);
    expect(await statusesOf(folder)).toEqual(["Sourced", "Sourced", "Sourced"]);
    expect((await readFile(join(folder, "cat.jpg"))).equals(cat)).toBe(true);
    expect((await filesIn(folder)).toSorted()).toEqual([
      ".review/alps.jpg",
      ".review/cat.jpg",
      ".review/plane.jpg",
      "alps.jpg",
      "cat.jpg",
      "image_queries.json",
      "image_sources.json",
      "plane.jpg",
    ]);
  });

  it("cancels its batch at Ctrl-C, saves what has ended, and exits 130", async () => {
    const { folder, args } = await batch([CAT, ALPS, PLANE, { ...PLANE, filename: "second.jpg" }]);
    await world.tell("/__faults/pexels", SLOW);
    const running = world.start([...args, "--project", "interrupted", "--concurrency", "2"]);
    await firstRow(running, folder);
    running.process.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect([code, stderr.includes("Interrupted")]).toEqual([130, true]);
    expect(await statusesOf(folder)).toEqual(["Sourced", "Pending", "Pending", "Pending"]);
    expect((await itemsIn(folder)).map((item) => item["filename"])).toEqual(["cat.jpg"]);
    const { batches } = await world.ask("/v1/projects/interrupted/batches");
    expect((await world.ask(batches[0].url as string))["state"]).toBe("cancelled");
  });

  it("writes nothing when a single search is interrupted", async () => {
    const folder = await world.folder();
    await world.tell("/__faults/pexels", SLOW);
    await world.calls();
    const args = ["images", "alps", "--filename", "alps.jpg", "--provider", "pexels", "-o", folder];
    const running = world.start(args);
    await until("the search is under way", 20_000, async () => (await world.calls()).length > 0);
    running.process.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(await filesIn(folder)).toEqual([]);
  });
});
