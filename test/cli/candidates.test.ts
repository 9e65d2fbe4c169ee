import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { filesIn, itemsIn, type Json, readJson, World } from "./program.ts";

const ALPS = ["images", "french alpine landscape", "--filename", "alps.jpg"];

// Every test starts programs, some of them a Worker each.
vi.setConfig({ testTimeout: 90_000 });

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world.close());

describe("candidates", () => {
  it("shows a page, takes one, and leaves what the format says", async () => {
    const folder = await world.folder();
    const page = await world.run([...ALPS, "-o", folder, "--save-candidates"]);
    expect(page.code).toBe(0);
    const numbers = Array.from({ length: 8 }, (_, index) => `candidate_0${index + 1}.jpg`);
    expect(await filesIn(folder)).toEqual([
      "candidates/alps/candidates.json",
      ...numbers.map((name) => `candidates/alps/review/${name}`),
      "candidates/alps/review_sheet.jpg",
    ]);
    const file = await readJson(folder, "candidates/alps/candidates.json");
    expect(file).toMatchObject({
      schema_version: 3,
      candidate_storage: "thumbnail-only",
      target_filename: "alps.jpg",
      selected: null,
      candidate_page: 1,
      page_size: 8,
      has_more_candidates: true,
    });
    expect(page.stdout).toContain("--promote candidate_01.jpg");
    expect(page.stdout).toContain("--candidate-page 2");

    const chosen = file["candidates"][2] as Json;
    await world.calls();
    const promoted = await world.run([
      "images",
      "--promote",
      "candidate_03.jpg",
      "--filename",
      "alps.jpg",
      "-o",
      folder,
    ]);
    expect(promoted.code).toBe(0);
    expect((await itemsIn(folder))[0]).toMatchObject({
      download_url: chosen["download_url"],
      status: "promoted",
      selection_method: "visual-thumbnail",
    });
    expect(await world.calls()).toHaveLength(1);
    expect((await readJson(folder, "candidates/alps/candidates.json"))["selected"]).toBe("candidate_03.jpg");
  });

  it("has pages of --max-candidates that go on where the one before ended", async () => {
    const folder = await world.folder();
    const args = [...ALPS, "-o", folder, "--save-candidates", "--max-candidates", "3"];
    const { document: first } = await world.json(args);
    expect(first).toMatchObject({ candidate_count: 3, next_candidate_page: 2 });
    await world.calls();
    const { document: second } = await world.json([...args, "--candidate-page", "2"]);
    expect(second["candidates"].map((each: Json) => each["rank"])).toEqual([4, 5, 6]);
    // Cut from the pool: previews are fetched, nothing is searched.
    expect((await world.calls()).filter((path) => path.includes("search"))).toEqual([]);
    const reviews = (await filesIn(folder)).filter((path) => path.includes("review/"));
    expect(reviews).toHaveLength(6);
    expect(await readJson(folder, "candidates/alps/candidates.json")).toMatchObject({ saved_pages: [1, 2] });
  });

  it("shows a later page of a pool that the service does not have, with what page 1 was asked for", async () => {
    const folder = await world.folder();
    const args = [...ALPS, "-o", folder, "--max-candidates", "2"];
    await world.run([...args, "--save-candidates", "--provider", "pexels", "--orientation", "landscape"]);
    const { code, document } = await world.json([...args, "--candidate-page", "2", "--project", "elsewhere"]);
    expect(code).toBe(0);
    expect(document["candidates"].map((each: Json) => [each["rank"], each["provider"]])).toEqual([
      [3, "pexels"],
      [4, "pexels"],
    ]);
    expect((await readJson(folder, "candidates/alps/candidates.json"))["request"]["orientation"]).toBe("landscape");
  });

  it("says that a page lies past the end, and changes nothing", async () => {
    const folder = await world.folder();
    const args = [...ALPS, "-o", folder, "--provider", "wikimedia"];
    await world.run([...args, "--save-candidates"]);
    const before = await readFile(join(folder, "candidates/alps/candidates.json"), "utf8");
    const { code, document } = await world.json([...args, "--candidate-page", "9"]);
    expect([code, document["error"]["code"]]).toEqual([1, "pool-exhausted"]);
    expect(await readFile(join(folder, "candidates/alps/candidates.json"), "utf8")).toBe(before);
  });

  it("promotes from the folder's candidates.json where the service has no pool", async () => {
    const folder = await world.folder();
    await world.run([...ALPS, "-o", folder, "--save-candidates", "--provider", "pexels"]);
    const args = ["images", "--promote", "candidate_02.jpg", "--filename", "alps.jpg", "-o", folder];
    expect((await world.run([...args, "--project", "another-machine"])).code).toBe(0);
    const chosen = (await readJson(folder, "candidates/alps/candidates.json"))["candidates"][1] as Json;
    expect((await itemsIn(folder))[0]!["download_url"]).toBe(chosen["download_url"]);
  });

  it("replaces candidates of another query, previews and all", async () => {
    const folder = await world.folder();
    await world.run([...ALPS, "-o", folder, "--save-candidates"]);
    const args = ["images", "gray flower", "--filename", "alps.jpg", "-o", folder, "--save-candidates"];
    expect((await world.run([...args, "--max-candidates", "2"])).code).toBe(0);
    expect((await filesIn(folder)).filter((path) => path.includes("review/"))).toHaveLength(2);
  });

  it.each([
    [["--promote", "candidate_99.jpg"], "not among the candidates"],
    [["--promote", "../alps.jpg"], "not among the candidates"],
  ])("refuses %j", async (args, why) => {
    const folder = await world.folder();
    await world.run([...ALPS, "-o", folder, "--save-candidates", "--max-candidates", "1", "--provider", "pexels"]);
    const ran = await world.run(["images", ...args, "--filename", "alps.jpg", "-o", folder]);
    expect([ran.code, ran.stderr.includes(why)]).toEqual([1, true]);
  });

  it("promotes nothing where nothing was shown", async () => {
    const folder = await world.folder();
    const ran = await world.run(["images", "--promote", "candidate_01.jpg", "--filename", "alps.jpg", "-o", folder]);
    expect([ran.code, ran.stderr.includes("--save-candidates")]).toEqual([1, true]);
  });
});
