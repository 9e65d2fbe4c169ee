import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { filesIn, itemsIn, type Json, KEY, readJson, World } from "./program.ts";

const ALPS = ["images", "french alpine landscape", "--filename", "alps.jpg"];
const PICTURE = "https://images.pexels.com/photos/1240028/pexels-photo-1240028.jpeg";

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world.close());

async function sizeOf(...path: string[]): Promise<{ width: number; height: number }> {
  const image = sniffImage(await readFile(join(...path)));
  if (image.kind === "refused") throw new Error(image.detail);
  return image;
}

/** One best-only run in a new folder; gives the entry that it leaves. */
async function sourced(
  args: readonly string[],
  base: readonly string[] = ALPS,
): Promise<{ folder: string; item: Json }> {
  const folder = await world.folder();
  const ran = await world.run([...base, "-o", folder, ...args]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return { folder, item: (await itemsIn(folder))[0]! };
}

describe("best-only", () => {
  it("leaves the image, its entry and its review rendition, and says where and whom to credit", async () => {
    const folder = await world.folder();
    const ran = await world.run([...ALPS, "-o", folder]);
    expect(ran.code).toBe(0);
    expect(await filesIn(folder)).toEqual([".review/alps.jpg", "alps.jpg", "image_sources.json"]);
    const manifest = await readJson(folder, "image_sources.json");
    expect(Object.keys(manifest)).toEqual(["items", "generated_at", "license_verification"]);
    expect(manifest["generated_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const [item] = manifest["items"] as [Json];
    expect(Object.keys(item).slice(0, 21)).toEqual(
      (
        "filename slide purpose search_query matched_query orientation provider stage title author source_page_url " +
        "download_url license_name license_url license_tier attribution_required width height attribution_text " +
        "selection_method status"
      ).split(" "),
    );
    expect(item).toMatchObject({
      filename: "alps.jpg",
      search_query: "french alpine landscape",
      matched_query: "french alpine landscape",
      orientation: "any",
      stage: "all",
      selection_method: "metadata-ranked",
      status: "sourced",
      ...(await sizeOf(folder, "alps.jpg").then(({ width, height }) => ({ width, height }))),
    });
    expect(item["attribution_text"]).toMatch(/^alps\.jpg — ".+" by .+ via .+ — license: .+ \(https:.+\)$/);
    expect(ran.stdout).toContain(join(folder, "alps.jpg"));
    expect(ran.stdout).toContain(item["credit"]["plain"]);
  });

  it("notes --slide and --purpose, and uses --manifest", async () => {
    const folder = await world.folder();
    const args = ["--slide", "03_team", "--purpose", "hero", "--provider", "pexels"];
    const ran = await world.run([...ALPS, "--output", folder, "--manifest", join(folder, "own.json"), ...args]);
    expect(ran.code).toBe(0);
    expect(await filesIn(folder)).toEqual([".review/alps.jpg", "alps.jpg", "own.json"]);
    expect((await itemsIn(folder, "own.json"))[0]).toMatchObject({ slide: "03_team", purpose: "hero" });
  });

  it("searches --query-variant too, and records which one found the image", async () => {
    const variants = ["--query-variant", "qqqqzz", "--query-variant", "locomotion house cat"];
    const { item } = await sourced(variants, ["images", "zzzzqq", "--filename", "cat.jpg"]);
    expect(item).toMatchObject({
      search_query: "zzzzqq",
      matched_query: "locomotion house cat",
      query_variants: ["qqqqzz", "locomotion house cat"],
    });
  });

  it("asks only --provider, in the wanted --orientation", async () => {
    await world.calls();
    const { item, folder } = await sourced(["--provider", "wikimedia", "--orientation", "portrait"]);
    expect(item).toMatchObject({ provider: "wikimedia", orientation: "portrait" });
    const { width, height } = await sizeOf(folder, "alps.jpg");
    expect(height).toBeGreaterThan(width);
    expect((await world.calls()).filter((path) => /v1\/search|v1\/images|^\/api\/$/.test(path))).toEqual([]);
  });

  it("keeps to --min-width and --min-height", async () => {
    const { folder } = await sourced(["--min-width", "1900", "--min-height", "1250"]);
    const { width, height } = await sizeOf(folder, "alps.jpg");
    expect(width).toBeGreaterThanOrEqual(1900);
    expect(height).toBeGreaterThanOrEqual(1250);
  });

  it("takes no license that asks for credit with --strict-no-attribution", async () => {
    const by = await sourced(["--provider", "openverse"], ["images", "airplane album", "--filename", "plane.jpg"]);
    expect(by.item).toMatchObject({ license_tier: "attribution-required", stage: "all" });
    const strict = ["--provider", "openverse", "--strict-no-attribution"];
    const { item } = await sourced(strict, ["images", "airplane album", "--filename", "plane.jpg"]);
    expect(item).toMatchObject({ license_tier: "no-attribution", stage: "no-attribution-only" });
  });

  it("takes nothing that --require-terms does not find named: Needs-Manual, exit 1", async () => {
    const folder = await world.folder();
    const args = [...ALPS, "-o", folder, "--require-terms", "french,Alps|alpine", "--require-terms"];
    expect((await world.run([...args, "landscape|paysage"])).code).toBe(0);
    expect((await itemsIn(folder))[0]!["required_terms"]).toEqual(["french", "Alps|alpine", "landscape|paysage"]);
    const { code, document } = await world.json([...args, "Zermatt"]);
    expect(code).toBe(1);
    expect(document).toMatchObject({ status: "Needs-Manual", error: { code: "no-match" } });
  });

  it("converts to the extension that the filename has", async () => {
    const { folder } = await sourced([], ["images", "french alpine landscape", "--filename", "alps.png"]);
    expect(sniffImage(await readFile(join(folder, "alps.png"))).kind).toBe("png");
  });

  it("prints one document with --json", async () => {
    const folder = await world.folder();
    const { code, document } = await world.json([...ALPS, "-o", folder]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      status: "Sourced",
      path: join(folder, "alps.jpg"),
      item: { filename: "alps.jpg" },
    });
    expect(document["attempts"].length).toBeGreaterThan(0);
  });

  it("is Failed, exit 1, while a provider fails, and names no key", async () => {
    const folder = await world.folder();
    await world.tell("/__faults/pexels", { status: 500 });
    const ran = await world.run([...ALPS, "-o", folder, "--provider", "pexels"]).finally(() => world.heal());
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("pexels");
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
    expect(await filesIn(folder)).toEqual([]);
  });
});

describe("the manifest that is there", () => {
  const OTHER = { filename: "other.jpg", license_tier: "manual", note: "mine" };

  it("keeps unknown members, other entries and their order; the new entry comes last", async () => {
    const mine = { theme: "dark", items: [{ filename: "alps.jpg", old: true }, OTHER], license_verification: "by me" };
    const folder = await world.folder({ "image_sources.json": mine });
    expect((await world.run([...ALPS, "-o", folder, "--provider", "pexels"])).code).toBe(0);
    const manifest = await readJson(folder, "image_sources.json");
    expect(manifest).toMatchObject({
      theme: "dark",
      license_verification: "by me",
      items: [OTHER, { filename: "alps.jpg" }],
    });
    expect(manifest["items"]).toHaveLength(2);
    expect(manifest["items"][1]).not.toHaveProperty("old");
  });

  it.each([
    ["{ not json", "not JSON"],
    ["[]", "not a JSON object"],
    ['{"items": {}}', "not a list"],
    ['{"items": ["alps.jpg"]}', "not an object"],
    ['{"items": [{"filename": "a.jpg"}, {"filename": "A.jpg"}]}', "twice"],
  ])("blocks everything when it is %s", async (text, why) => {
    const folder = await world.folder({ "image_sources.json": text });
    await world.calls();
    const ran = await world.run([...ALPS, "-o", folder]);
    expect([ran.code, ran.stderr.includes(why)]).toEqual([1, true]);
    expect(await readFile(join(folder, "image_sources.json"), "utf8")).toBe(text);
    expect(await world.calls()).toEqual([]);
  });

  it.each(["ALPS.jpg", "alps.png"])("refuses a name beside %s", async (existing) => {
    const folder = await world.folder({ "image_sources.json": { items: [{ filename: existing }] } });
    const ran = await world.run([...ALPS, "-o", folder]);
    expect([ran.code, ran.stderr.includes(existing)]).toEqual([1, true]);
  });
});

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

describe("an image of one's own", () => {
  const FROM_URL = ["images", "--from-url", PICTURE, "--filename", "alps.jpg"];

  it("is recorded as manual, and no search goes over it", async () => {
    const folder = await world.folder();
    const ran = await world.run([...FROM_URL, "-o", folder, "--slide", "7"]);
    expect(ran.code).toBe(0);
    const [item] = await itemsIn(folder);
    expect(item).toMatchObject({ license_tier: "manual", status: "manual", download_url: PICTURE, slide: "7" });
    expect(ran.stdout).toContain("not verified");
    await world.calls();
    const searched = await world.run([...ALPS, "-o", folder]);
    expect([searched.code, searched.stderr.includes("chosen by hand")]).toEqual([1, true]);
    expect(await world.calls()).toEqual([]);
  });

  it("inherits what the entry that it replaces was for", async () => {
    const folder = await world.folder();
    await world.run([...ALPS, "-o", folder, "--slide", "03", "--purpose", "hero", "--provider", "pexels"]);
    await world.run([...FROM_URL, "-o", folder, "--slide", "99"]);
    expect((await itemsIn(folder))[0]).toMatchObject({ slide: "03", purpose: "hero", license_tier: "manual" });
  });

  it("is forgotten by the service when the folder no longer has it", async () => {
    const folder = await world.folder();
    await world.run([...FROM_URL, "-o", folder]);
    await writeFile(join(folder, "image_sources.json"), '{"items": []}');
    expect((await world.run([...ALPS, "-o", folder, "--provider", "pexels"])).code).toBe(0);
    expect((await itemsIn(folder))[0]).toMatchObject({ status: "sourced" });
  });

  it("may be smaller than usual only where that is asked for", async () => {
    const folder = await world.folder();
    const small = `${PICTURE}?w=800`;
    const args = ["images", "--from-url", small, "--filename", "small.jpg", "-o", folder];
    await world.run([...args, "--min-width", "1", "--min-height", "1"]);
    const [item] = await itemsIn(folder);
    const size = await sizeOf(folder, "small.jpg");
    expect(item).toMatchObject({ width: size.width, height: size.height });
    const ran = await world.run([...FROM_URL, "-o", folder, "--min-width", "19999"]);
    expect([ran.code, ran.stderr.includes("measured")]).toEqual([1, true]);
  });

  it.each(["http://169.254.169.254/latest/meta-data", "https://localhost/x.jpg", "file:///etc/passwd"])(
    "is never fetched from %s",
    async (url) => {
      const folder = await world.folder();
      const ran = await world.run(["images", "--from-url", url, "--filename", "x.jpg", "-o", folder]);
      expect(ran.code).toBe(1);
      expect(await filesIn(folder)).toEqual([]);
    },
  );
});

describe("wrong usage", () => {
  it.each([
    [["images"], "--filename"],
    [["images", "alps"], "--filename"],
    [["images", "--filename", "a.jpg"], "query"],
    [["images", "alps", "--filename", "a.gif"], "must end in"],
    [["images", "alps", "--filename", "../a.jpg"], "bare name"],
    [["images", "alps", "--filename", "a.jpg", "--orientation", "round"], "orientation"],
    [["images", "alps", "--filename", "a.jpg", "--provider", "bing"], "provider"],
    [["images", "alps", "--filename", "a.jpg", "--min-width", "wide"], "min-width"],
    [["images", "alps", "--filename", "a.jpg", "--max-candidates", "-1"], "max-candidates"],
    [["images", "alps", "--filename", "a.jpg", "--candidate-page", "0"], "candidate-page"],
    [["images", "alps", "--filename", "a.jpg", "--concurrency", "0"], "concurrency"],
    [["images", "alps", "--filename", "a.jpg", "--frobnicate"], "frobnicate"],
    [["images", "alps", "--batch", "image_queries.json"], "positional query"],
    [["images", "--promote", "c.jpg", "--from-url", "https://a.example/", "--filename", "a.jpg"], "not both"],
    [["frobnicate"], "frobnicate"],
  ])("%j: exit 2", async (args, why) => {
    const ran = await world.run(args, { cwd: await world.folder() });
    expect([ran.code, ran.stderr.includes(why)]).toEqual([2, true]);
    expect(ran.stdout).toBe("");
  });
});
