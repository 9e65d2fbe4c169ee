import { describe, expect, it } from "vitest";
import { type Problem, Project } from "./candidate-project.ts";

type Entry = Record<string, unknown>;
type File = Record<string, unknown> & { candidates: Entry[] };

const ROW = { query: "french alpine landscape", provider: "wikimedia" };

/** The candidates.json of one project, as somebody else has it in a folder. */
async function fileOf(): Promise<{ origin: Project; file: File }> {
  const origin = new Project();
  await origin.page(ROW);
  const text = new TextDecoder().decode(await origin.bytes("candidates/alps/candidates.json"));
  return { origin, file: JSON.parse(text) as File };
}

function put(project: Project, file: unknown, filename = "alps.jpg"): Promise<Response> {
  return project.put(filename, "candidates", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(file),
  });
}

async function faultsOf(response: Response): Promise<string[]> {
  const { code, errors } = await response.json<Problem & { errors: { pointer: string }[] }>();
  expect([response.status, code]).toEqual([400, "invalid-request"]);
  return errors.map(({ pointer }) => pointer);
}

describe("candidates from a folder", () => {
  it("can be promoted in a project that never searched, with the same provenance", async () => {
    const { origin, file } = await fileOf();
    const other = new Project();
    const imported = await put(other, file);
    expect(imported.status).toBe(200);
    expect(await imported.json()).toMatchObject({ target_filename: "alps.jpg", candidates: file.candidates.length });
    expect((await other.promote("candidate_02.jpg")).status).toBe(201);
    expect((await origin.promote("candidate_02.jpg")).status).toBe(201);
    const [[there], [here]] = [await origin.manifest(), await other.manifest()];
    // What the provider itself wrote of the license is in no file.
    const { license_evidence: _, ...expected } = there!;
    expect(here).toMatchObject(expected);
    expect((await other.gateway.calls()).requests.filter(({ path }) => path.includes("api.php"))).toEqual([]);
  });

  it("keeps the pool that it already has of the same search", async () => {
    const { origin, file } = await fileOf();
    const forged = { ...file, candidates: [{ ...file.candidates[0], download_url: "https://example.org/other.jpg" }] };
    expect((await put(origin, forged)).status).toBe(200);
    expect(await (await origin.promote("candidate_01.jpg")).json()).toMatchObject({
      item: { download_url: file.candidates[0]!["download_url"] },
    });
  });

  it("never believes the tier: it is read from the license", async () => {
    const { file } = await fileOf();
    const by = { license_name: "CC BY 4.0", license_url: "https://creativecommons.org/licenses/by/4.0/" };
    const claimed = { license_tier: "no-attribution", attribution_required: false };
    const project = new Project();
    const first = { ...file.candidates[0], ...by, ...claimed, author: "Jane Doe" };
    expect((await put(project, { ...file, candidates: [first] })).status).toBe(200);
    expect((await project.promote("candidate_01.jpg")).status).toBe(201);
    expect((await project.manifest())[0]).toMatchObject({
      license_tier: "attribution-required",
      attribution_required: true,
      license_name: "CC BY 4.0",
    });
  });

  it.each([
    [{ license_name: "CC BY-NC 4.0", license_url: "" }, "/candidates/0/license_name"],
    [{ license_name: "", license_url: "" }, "/candidates/0/license_name"],
    [{ license_name: "Pexels License", license_url: "" }, "/candidates/0/license_name"],
    [
      { license_name: "CC BY 4.0", license_url: "https://creativecommons.org/licenses/by/4.0/", author: "" },
      "/candidates/0/author",
    ],
    [{ rank: 2 }, "/candidates/0/rank"],
    [{ filename: "../candidate_01.jpg" }, "/candidates/0/filename"],
    [{ provider: "manual" }, "/candidates/0/provider"],
    [{ download_url: "file:///etc/passwd" }, "/candidates/0/download_url"],
    [{ width: "1200" }, "/candidates/0/width"],
  ])("refuses a candidate with %j", async (change, pointer) => {
    const { file } = await fileOf();
    const project = new Project();
    const candidates = [{ ...file.candidates[0], ...change }];
    expect(await faultsOf(await put(project, { ...file, candidates }))).toContain(pointer);
    expect((await project.promote("candidate_01.jpg")).status).toBe(409);
  });

  it.each([
    [{ target_filename: "other.jpg" }, "/target_filename"],
    [{ schema_version: 2 }, "/schema_version"],
    [{ searched_at: "yesterday" }, "/searched_at"],
    [{ candidates: [] }, "/candidates"],
  ])("refuses a file with %j", async (change, pointer) => {
    const { file } = await fileOf();
    expect(await faultsOf(await put(new Project(), { ...file, ...change }))).toContain(pointer);
  });

  it("lets the door judge addresses when they are fetched", async () => {
    const { file } = await fileOf();
    const project = new Project();
    const candidates = [{ ...file.candidates[0], download_url: "http://169.254.169.254/latest/meta-data" }];
    expect((await put(project, { ...file, candidates })).status).toBe(200);
    const response = await project.promote("candidate_01.jpg");
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "promotion-failed", reason: "refused" });
  });

  it("derives near matches again, so that they still have to be confirmed", async () => {
    const { file } = await fileOf();
    const request = { ...(file["request"] as Entry), required_terms: ["Zermatt"] };
    const candidates = [{ ...file.candidates[0], identity_evidence: "metadata-verified", missing_required_terms: [] }];
    const project = new Project();
    expect((await put(project, { ...file, request, candidates })).status).toBe(200);
    expect(await (await project.promote("candidate_01.jpg")).json()).toMatchObject({ code: "identity-unconfirmed" });
  });

  it("is no pool to cut pages from: a search makes a whole one", async () => {
    const { file } = await fileOf();
    const project = new Project();
    await put(project, file);
    expect(await (await project.search({ ...ROW, candidate_page: 2 })).json()).toMatchObject({ code: "no-pool" });
    expect((await project.page(ROW)).candidate_total).toBeGreaterThan(0);
  });

  it("takes a file of the original tool: microseconds, and no asset ids", async () => {
    const { file } = await fileOf();
    const { provider: _, ...request } = file["request"] as Entry;
    const { asset_id: _id, credit: _credit, ...first } = file.candidates[0]!;
    const original = { ...file, request, searched_at: "2026-05-01T12:17:59.856275Z", candidates: [first] };
    const project = new Project();
    expect(await (await put(project, original)).json()).toMatchObject({ searched_at: "2026-05-01T12:17:59.856Z" });
    expect((await project.promote("candidate_01.jpg")).status).toBe(201);
  });
});
