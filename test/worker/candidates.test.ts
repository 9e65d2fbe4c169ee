import { describe, expect, it } from "vitest";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { type Problem, Project } from "./candidate-project.ts";

describe("candidates", () => {
  it("are shown in ranked pages of eight, with previews and a sheet, and no original is asked for", async () => {
    const project = new Project();
    const first = await project.page();
    expect(first).toMatchObject({
      schema_version: 3,
      candidate_page: 1,
      page_size: 8,
      selected: null,
      saved_pages: [1],
    });
    expect(first.candidates.map((each) => each.rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(first.candidates.map((each) => each.filename)).toContain("candidate_08.jpg");
    const asked = (await project.gateway.calls()).requests.map(
      (call) => `https://${call.host}${call.path}${Object.keys(call.query).length > 0 ? "?" : ""}`,
    );
    for (const { download_url: url } of first.candidates) expect(asked).not.toContain(url);
    expect(await project.manifest()).toEqual([]);
    for (const each of first.candidates) {
      const preview = sniffImage(await project.bytes(`candidates/alps/review/${each.filename}`));
      expect(preview).toMatchObject({ kind: "jpeg", width: each.preview_width, height: each.preview_height });
    }
    const sheet = sniffImage(await project.bytes("candidates/alps/review_sheet.jpg"));
    expect(sheet).toMatchObject({ kind: "jpeg", width: 1600 });
    const file = JSON.parse(new TextDecoder().decode(await project.bytes("candidates/alps/candidates.json")));
    expect(file.candidates).toEqual(first.candidates);
  });

  it("keep their ranks from page to page, and the second page asks no provider", async () => {
    const project = new Project();
    const first = await project.page();
    const before = (await project.gateway.calls()).requests.filter(
      (call) => !call.upstream.startsWith("images"),
    ).length;
    const second = await project.page({ candidate_page: 2 });
    const after = (await project.gateway.calls()).requests.filter((call) => !call.upstream.startsWith("images")).length;
    expect(after).toBe(before);
    expect(second.candidates.slice(0, 8)).toEqual(first.candidates);
    expect(second.candidates[8]).toMatchObject({ rank: 9, filename: "candidate_09.jpg" });
    expect(second.saved_pages).toEqual([1, 2]);
    expect(second.has_more_candidates).toBe(second.candidate_total > 16);
  });

  it("fill a page with the next rank when a preview is dead, and say why", async () => {
    const project = new Project();
    await project.gateway.fault("images", { status: 404, times: 2 });
    const first = await project.page();
    expect(first.candidates).toHaveLength(8);
    expect(first.candidates.map((each) => each.rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(first.unavailable).toHaveLength(2);
    expect(first.unavailable[0]?.reason).toContain("404");
  });

  it("end where the pool ends: exact totals, and a page past the end changes nothing", async () => {
    const project = new Project({ LICENSED_IMAGE_CHAIN: "wikimedia" });
    const first = await project.page({ max_candidates: 0 });
    expect(first.candidates).toHaveLength(first.candidate_total);
    const pages = new Project({ LICENSED_IMAGE_CHAIN: "wikimedia" });
    let page = await pages.page({ max_candidates: 3 });
    while (page.next_candidate_page !== null)
      page = await pages.page({ max_candidates: 3, candidate_page: page.next_candidate_page });
    expect(page.candidates).toHaveLength(first.candidate_total);
    const past = await pages.search({ max_candidates: 3, candidate_page: page.candidate_page + 1 });
    expect([past.status, (await past.json<Problem>()).code]).toEqual([409, "pool-exhausted"]);
    const file = JSON.parse(new TextDecoder().decode(await pages.bytes("candidates/alps/candidates.json")));
    expect(file.candidate_page).toBe(page.candidate_page);
  });

  it("belong to one request: another one is a new pool, and page 2 of it must be asked for from page 1", async () => {
    const project = new Project();
    const none = await project.search({ candidate_page: 2 });
    expect([none.status, (await none.json<Problem>()).code]).toEqual([409, "no-pool"]);
    await project.page();
    for (const change of [
      { query: "alpine" },
      { orientation: "portrait" },
      { strict_no_attribution: true },
      { min_width: 1300 },
      { required_terms: ["alpine"] },
      { query_variants: ["alps"] },
      { provider: "pexels" },
    ]) {
      const response = await project.search({ ...change, candidate_page: 2 });
      expect((await response.json<Problem>()).code).toBe("no-pool");
    }
    expect((await project.page({ candidate_page: 2, slide: "07" })).candidate_page).toBe(2);
  });

  it("put metadata-verified ones first and mark near matches, which are promoted only when confirmed", async () => {
    const project = new Project();
    const row = {
      filename: "jfb.jpg",
      query: "Chongqing Jiefangbei monument",
      required_terms: ["Chongqing|重庆", "Jiefangbei|解放碑"],
      min_width: 640,
      min_height: 480,
    };
    const page = await project.page(row);
    const evidence = page.candidates.map((each) => each.identity_evidence);
    const near = page.candidates.find((each) => each.identity_evidence === "visual-verification-required");
    expect(evidence.toSorted()).toEqual(evidence);
    expect(near?.missing_required_terms).toHaveLength(1);
    const refused = await project.promote(near!.filename, {}, "jfb.jpg");
    expect([refused.status, (await refused.json<Problem>()).code]).toEqual([409, "identity-unconfirmed"]);
    const confirmed = await project.promote(near!.filename, { identity_confirmed: true }, "jfb.jpg");
    expect((await confirmed.json<{ item: Record<string, unknown> }>()).item).toMatchObject({
      identity_confirmed: true,
      status: "promoted",
    });
  });

  it("of two filenames with one stem are refused", async () => {
    const project = new Project();
    await project.page();
    const png = await project.search({ filename: "alps.png" });
    expect([png.status, (await png.json<Problem>()).code]).toEqual([409, "stem-conflict"]);
  });

  it("are asked for at most three at a time of one host, and at widths that Commons serves", async () => {
    const project = new Project({ LICENSED_IMAGE_CHAIN: "wikimedia,openverse" });
    await project.page();
    const { requests, peakInFlight } = await project.gateway.calls();
    expect(peakInFlight).toBeLessThanOrEqual(6);
    const thumbs = requests.filter((call) => /wikimedia\.org/.test(call.host) && /\d+px-/.test(call.path));
    expect(thumbs.length).toBeGreaterThan(0);
    for (const call of thumbs) expect(call.path).toMatch(/\/(960|1280|500)px-/);
  });
});

describe("promoting", () => {
  it("downloads exactly one original, commits it and says which candidate it was", async () => {
    const project = new Project();
    const page = await project.page();
    const before = (await project.gateway.calls()).requests.length;
    const response = await project.promote("candidate_03.jpg");
    expect(response.status).toBe(201);
    const { item } = await response.json<{ item: Record<string, unknown> }>();
    expect((await project.gateway.calls()).requests.length - before).toBeLessThanOrEqual(2);
    expect(item).toMatchObject({
      selection_method: "visual-thumbnail",
      status: "promoted",
      download_url: page.candidates[2]!.download_url,
    });
    expect(await project.manifest()).toEqual([item]);
    const file = JSON.parse(new TextDecoder().decode(await project.bytes("candidates/alps/candidates.json")));
    expect(file.selected).toBe("candidate_03.jpg");
    expect(sniffImage(await project.bytes(".review/alps.jpg"))).toMatchObject({ kind: "jpeg" });
    expect(sniffImage(await project.bytes("images/alps.jpg"))).toMatchObject({
      width: item["width"],
      height: item["height"],
    });
  });

  it("takes a candidate of an earlier page", async () => {
    const project = new Project();
    await project.page();
    await project.page({ candidate_page: 2 });
    expect((await project.promote("candidate_02.jpg")).status).toBe(201);
  });

  it("changes nothing when the original is gone, and names measured, required and claimed sizes when it is too small", async () => {
    const project = new Project();
    await project.page();
    await project.gateway.fault("images", { status: 410 });
    const gone = await project.promote("candidate_01.jpg");
    expect([gone.status, (await gone.json<Problem>()).reason]).toEqual([422, "unreachable"]);
    expect(await project.manifest()).toEqual([]);
    const pixabay = new Project();
    const page = await pixabay.page({
      query: "canyon colorado",
      provider: "pixabay",
      min_width: 1200,
      min_height: 700,
    });
    const shrunk = page.candidates.find((each) => each.width === 4836)!;
    const raised = new Project();
    await raised.page({ query: "canyon colorado", provider: "pixabay", min_width: 1200, min_height: 700 });
    await raised.gateway.fault("images", { redirect: "https://odd.example/tiny.jpg", match: "/get/" });
    const small = await raised.promote(shrunk.filename);
    expect((await small.json<Problem>()).detail).toMatch(
      /measured \d+x\d+; required minimum 1200x700.*; metadata claimed 4836x2915/,
    );
    expect(await raised.manifest()).toEqual([]);
  });

  it("asks Pixabay anew for an address that has expired", async () => {
    const project = new Project();
    const page = await project.page({ query: "flower", provider: "pixabay" });
    await project.gateway.fault("images:pixabay.com", { status: 404, times: 1 });
    const response = await project.promote(page.candidates[0]!.filename);
    expect(response.status).toBe(201);
    const lookups = (await project.gateway.calls()).requests.filter(
      (call) => call.upstream === "pixabay" && JSON.stringify(call.query).includes('"id"'),
    );
    expect(lookups).toHaveLength(1);
  });

  it("refuses what was not shown, and what has no pool", async () => {
    const project = new Project();
    expect((await (await project.promote("candidate_01.jpg")).json<Problem>()).code).toBe("no-pool");
    await project.page();
    for (const name of [
      "candidate_09.jpg",
      "candidate_1.jpg",
      "candidate_01.png",
      "../candidate_01.jpg",
      "candidate_00.jpg",
    ]) {
      expect((await project.promote(name)).status).toBe(404);
    }
  });
});

describe("a picture that a person chose", () => {
  it("comes from a URL, is recorded as manual, and no search replaces it", async () => {
    const project = new Project();
    await project.page({ slide: "03", purpose: "hero" });
    const response = await project.fromUrl("https://odd.example/progressive.jpg", { min_width: 100, min_height: 100 });
    expect(response.status).toBe(201);
    const { item } = await response.json<{ item: Record<string, unknown> }>();
    expect(item).toMatchObject({
      provider: "manual",
      license_tier: "manual",
      status: "manual",
      slide: "03",
      purpose: "hero",
      search_query: "french alpine landscape",
      attribution_required: false,
      attribution_text: "",
    });
    const search = await project.search({ save_candidates: false });
    expect([search.status, (await search.json<Problem>()).code]).toEqual([409, "manual-image-kept"]);
    const promoted = await project.promote("candidate_01.jpg");
    expect([promoted.status, (await promoted.json<Problem>()).code]).toEqual([409, "manual-image-kept"]);
    expect(await project.manifest()).toEqual([item]);
  });

  it("replaces a searched one, and can be removed to search again", async () => {
    const project = new Project();
    await project.search({ save_candidates: false });
    expect((await project.fromUrl("https://odd.example/progressive.jpg", { min_width: 1, min_height: 1 })).status).toBe(
      201,
    );
    const removed = await project.gateway.fetch(`${project.path}/images/alps.jpg`, { method: "DELETE" });
    expect(removed.status).toBe(204);
    expect((await project.search({ save_candidates: false })).status).toBe(201);
  });

  it.each([
    ["https://127.0.0.1/a.jpg", "refused"],
    ["https://169.254.169.254/a.jpg", "refused"],
    ["https://metadata.google.internal/a.jpg", "refused"],
    ["http://odd.example/progressive.jpg", "refused"],
    ["https://odd.example/huge.jpg", "too-large"],
    ["https://odd.example/endless.jpg", "too-large"],
    ["https://odd.example/html.jpg", "not-an-image"],
    ["https://odd.example/drawing.svg", "not-an-image"],
    ["https://odd.example/document.jpg", "not-an-image"],
    ["https://odd.example/empty.jpg", "not-an-image"],
    ["https://odd.example/truncated.jpg", "not-an-image"],
    ["https://odd.example/truncated.png", "not-an-image"],
    ["https://odd.example/truncated.webp", "not-an-image"],
    ["https://odd.example/picture.avif", "not-an-image"],
    ["https://odd.example/bomb.png", "not-an-image"],
    ["https://odd.example/tiny.jpg", "too-small"],
  ])("is refused from %s as %s, and nothing is changed", async (url, reason) => {
    const project = new Project();
    const response = await project.fromUrl(url);
    expect(response.status).toBe(422);
    const problem = await response.json<Problem>();
    expect([problem.code, problem.reason]).toEqual(["image-refused", reason]);
    expect(await project.manifest()).toEqual([]);
  });

  it.each([
    "cmyk.jpg",
    "progressive.jpg",
    "16-bit.png",
    "palette-alpha.png",
    "animated.gif",
    "animated.webp",
    "phone.jpeg",
    "picture.tif",
    "exif-1.jpg",
    "exif-3.jpg",
    "exif-6.jpg",
    "exif-8.jpg",
  ])("comes as a JPEG from %s, the way it is meant to be seen", async (name) => {
    const project = new Project();
    const response = await project.fromUrl(`https://odd.example/${name}`, { min_width: 1, min_height: 1 });
    expect(response.status).toBe(201);
    const { item } = await response.json<{ item: { width: number; height: number } }>();
    const stored = sniffImage(await project.bytes("images/alps.jpg"));
    expect(stored).toMatchObject({ kind: "jpeg", width: item.width, height: item.height });
    expect((await project.search({ filename: "next.jpg" })).status).toBe(200);
  });

  it("is worth another try when its host does not give it", async () => {
    const project = new Project();
    const response = await project.fromUrl("https://odd.example/nothing-here.jpg");
    expect([response.status, (await response.json<Problem>()).code]).toEqual([502, "originals-failed"]);
    expect(await project.manifest()).toEqual([]);
  });

  it("is uploaded as bytes with the page it comes from", async () => {
    const project = new Project();
    const source = await fetch(`${project.gateway.scopeUrl}/odd.example/progressive.jpg`);
    const body = new Uint8Array(await source.arrayBuffer());
    const response = await project.put(
      "own.jpg",
      "upload?source_page_url=https%3A%2F%2Fexample.org%2Fpage&min_width=1&min_height=1",
      { body, headers: { "content-type": "image/jpeg" } },
    );
    expect(response.status).toBe(201);
    expect((await response.json<{ item: Record<string, unknown> }>()).item).toMatchObject({
      source_page_url: "https://example.org/page",
      license_tier: "manual",
    });
    expect(await project.bytes("images/own.jpg")).toEqual(body);
    const nameless = await project.put("own.jpg", "upload", { body });
    expect(nameless.status).toBe(400);
    const empty = await project.put("own.jpg", "upload?source_page_url=https%3A%2F%2Fexample.org%2Fpage", {
      body: new Uint8Array(),
    });
    expect(empty.status).toBe(400);
  });
});
