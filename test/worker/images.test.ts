import { describe, expect, it } from "vitest";
import { sniffImage } from "../../src/pixels/sniff.ts";
import { Gateway } from "./gateway.ts";

interface Acquired {
  item: Record<string, unknown> & { provider: string; width: number; height: number; license_tier: string };
  sha256: string;
  file: string;
  attempts: { provider: string; outcome: string; class?: string }[];
  warnings: { pointer: string; code: string }[];
}

interface Problem {
  code: string;
  detail: string;
  errors?: { pointer: string }[];
  attempts?: { provider: string; class?: string }[];
  rejected?: Record<string, number>;
  originals?: { kind: string }[];
  try?: string[];
}

let projects = 0;

/** Each test has a project of its own. */
class Project {
  readonly gateway: Gateway;
  readonly path = `/v1/projects/p${++projects}`;

  constructor(variables: Record<string, string> = {}) {
    this.gateway = new Gateway(variables);
  }

  acquire(row: Record<string, unknown>): Promise<Response> {
    return this.gateway.post(`${this.path}/images`, row);
  }

  async manifest(): Promise<{ items: Record<string, unknown>[]; license_verification: string }> {
    return (await this.gateway.fetch(`${this.path}/files/image_sources.json`)).json();
  }
}

const ROW = { filename: "airplane.jpg", query: "airplane from above" };

describe("acquiring one image", () => {
  it("stores a license-cleared photograph with its provenance and reads both back", async () => {
    const project = new Project();
    const response = await project.acquire({ ...ROW, slide: "01", purpose: "hero", orientation: "landscape" });
    expect(response.status).toBe(201);
    const acquired = await response.json<Acquired>();
    const file = await project.gateway.fetch(acquired.file);
    expect(file.headers.get("content-type")).toBe("image/jpeg");
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex()).toBe(acquired.sha256);
    expect(sniffImage(bytes)).toMatchObject({ kind: "jpeg", width: acquired.item.width, height: acquired.item.height });
    const manifest = await project.manifest();
    expect(manifest.items).toEqual([acquired.item]);
    expect(Object.keys(manifest)).toEqual(["items", "generated_at", "license_verification"]);
    expect(Object.keys(acquired.item).slice(0, 22)).toEqual([
      "filename",
      "slide",
      "purpose",
      "search_query",
      "matched_query",
      "orientation",
      "provider",
      "stage",
      "title",
      "author",
      "source_page_url",
      "download_url",
      "license_name",
      "license_url",
      "license_tier",
      "attribution_required",
      "width",
      "height",
      "attribution_text",
      "selection_method",
      "status",
      expect.anything(),
    ]);
    expect(acquired.item).toMatchObject({
      slide: "01",
      purpose: "hero",
      selection_method: "metadata-ranked",
      status: "sourced",
      stage: "all",
    });
    expect(acquired.attempts.map((attempt) => attempt.provider)).toEqual([
      "pexels",
      "pixabay",
      "openverse",
      "wikimedia",
    ]);
  });

  it("works without any key, and says who was not asked", async () => {
    const project = new Project({ PEXELS_API_KEY: "", PIXABAY_API_KEY: "" });
    const acquired = await (await project.acquire(ROW)).json<Acquired>();
    expect(["openverse", "wikimedia"]).toContain(acquired.item.provider);
    expect(acquired.attempts.slice(0, 2).map((attempt) => attempt.class)).toEqual(["skipped", "skipped"]);
  });

  it("asks a pinned provider only", async () => {
    const project = new Project();
    const acquired = await (await project.acquire({ ...ROW, provider: "wikimedia" })).json<Acquired>();
    expect(acquired.item.provider).toBe("wikimedia");
    const upstreams = (await project.gateway.calls()).requests.map((call) => call.upstream);
    expect(upstreams.filter((upstream) => !upstream.startsWith("images:"))).toEqual(["wikimedia"]);
  });

  it("never lets an attribution license through in strict mode", async () => {
    for (const provider of ["openverse", "wikimedia"]) {
      const project = new Project();
      const acquired = await (
        await project.acquire({ ...ROW, provider, strict_no_attribution: true })
      ).json<Acquired>();
      expect(acquired.item).toMatchObject({ license_tier: "no-attribution", stage: "no-attribution-only" });
    }
  });

  it("gives every attribution-required image an author and a credit that names both", async () => {
    const project = new Project({ LICENSED_IMAGE_CHAIN: "openverse,wikimedia" });
    const queries = ["cat", "flower", "canyon", "french alpine landscape", "boats in Nagasaki", "airplane from above"];
    const items = await Promise.all(
      queries.flatMap((query, index) =>
        ["landscape", "portrait"].map(async (orientation) => {
          const response = await project.acquire({ filename: `${orientation}-${index}.jpg`, query, orientation });
          return (await response.json<Partial<Acquired>>()).item;
        }),
      ),
    );
    const credited = items.filter((item) => item?.license_tier === "attribution-required");
    expect(credited.length).toBeGreaterThan(0);
    for (const item of credited) {
      expect(item?.["author"]).not.toBe("");
      expect(item?.["attribution_text"]).toContain(String(item?.["author"]));
      expect(item?.["attribution_text"]).toContain(String(item?.["license_name"]));
      expect(item?.["license_name"]).toMatch(/^CC BY(-SA)? \d\.\d/);
    }
  });

  it("falls through an original that is gone and through one that is no image", async () => {
    const project = new Project();
    const first = await (await project.acquire(ROW)).json<Acquired>();
    const again = new Project();
    const { pathname } = new URL(String(first.item["download_url"]));
    await again.gateway.fault("images", { match: pathname, status: 404 });
    const second = await (await again.acquire(ROW)).json<Acquired>();
    expect(second.item["download_url"]).not.toBe(first.item["download_url"]);
    const third = new Project();
    await third.gateway.fault("images", { match: pathname, html: true });
    expect((await (await third.acquire(ROW)).json<Acquired>()).item["download_url"]).not.toBe(
      first.item["download_url"],
    );
  });

  it("replaces its own image under the same filename, and moves it to the end of the manifest", async () => {
    const project = new Project();
    await project.acquire(ROW);
    await project.acquire({ filename: "alps.jpg", query: "french alpine landscape" });
    await project.acquire({ ...ROW, provider: "wikimedia" });
    expect((await project.manifest()).items.map((item) => item["filename"])).toEqual(["alps.jpg", "airplane.jpg"]);
  });

  it("writes the manifest to R2 as a file", async () => {
    const { env } = await import("cloudflare:workers");
    const { runDurableObjectAlarm } = await import("cloudflare:test");
    const project = new Project();
    await project.acquire(ROW);
    const name = project.path.split("/").at(-1)!;
    expect(await runDurableObjectAlarm(env.PROJECTS.getByName(`local/${name}`))).toBe(true);
    const object = await env.BUCKET.get(`tenants/local/projects/${name}/image_sources.json`);
    expect(await object?.json()).toEqual(await project.manifest());
  });
});

describe("the call budget of a row", () => {
  it("ends a search that finds nothing after 24 upstream calls", async () => {
    const project = new Project();
    const variants = Array.from({ length: 10 }, (_, index) => `qq${index} zz${index} xx${index} yy${index} ww${index}`);
    const response = await project.acquire({ ...ROW, query: "vvv uuu ttt sss rrr", query_variants: variants });
    expect(response.status).toBe(422);
    expect((await project.gateway.calls()).requests).toHaveLength(24);
  });

  it("asks for no variant once there is enough to choose from", async () => {
    const project = new Project();
    await project.acquire({ ...ROW, query_variants: ["plane over fields", "biplane sky", "aerial view airplane"] });
    const apiCalls = (await project.gateway.calls()).requests.filter((call) => !call.upstream.startsWith("images"));
    expect(apiCalls.length).toBeLessThan(4 * 4);
  });
});

describe("when nothing can be stored", () => {
  it("says no-match when every provider answered, with what to try", async () => {
    const project = new Project();
    const response = await project.acquire({ ...ROW, query: "zzqqxxyy" });
    const problem = await response.json<Problem>();
    expect([response.status, problem.code]).toEqual([422, "no-match"]);
    expect(problem.try?.length).toBeGreaterThan(0);
    expect((await project.manifest()).items).toEqual([]);
  });

  it("says no-match when the required terms are met by nothing", async () => {
    const project = new Project();
    const response = await project.acquire({ ...ROW, required_terms: ["Atlantis"] });
    const problem = await response.json<Problem>();
    expect(problem.code).toBe("no-match");
    expect(problem.rejected?.["identity-missing"]).toBeGreaterThan(0);
  });

  it("says providers-failed when one provider broke and nothing else qualifies", async () => {
    const project = new Project();
    await project.gateway.fault("openverse", { class: "rate" });
    const response = await project.acquire({ ...ROW, query: "zzqqxxyy" });
    const problem = await response.json<Problem>();
    expect([response.status, problem.code]).toEqual([502, "providers-failed"]);
    expect(problem.attempts?.find((attempt) => attempt.provider === "openverse")?.class).toBe("rate");
  });

  it("commits nothing when every original is dead", async () => {
    const project = new Project();
    await project.gateway.fault("images", { status: 503 });
    const response = await project.acquire(ROW);
    const problem = await response.json<Problem>();
    expect([response.status, problem.code]).toEqual([502, "originals-failed"]);
    expect((await project.manifest()).items).toEqual([]);
    expect((await project.gateway.fetch(`${project.path}/files/images/airplane.jpg`)).status).toBe(404);
  });

  it("does not follow an original to a private address", async () => {
    const project = new Project();
    await project.gateway.fault("images", { redirect: "https://169.254.169.254/latest/meta-data" });
    const problem = await (await project.acquire(ROW)).json<Problem>();
    expect(problem.originals?.every((fault) => fault.kind === "refused")).toBe(true);
    expect((await project.gateway.calls()).requests.map((call) => call.host)).not.toContain("169.254.169.254");
  });
});

describe("a row that is refused before any provider is asked", () => {
  it.each([
    ["a path", { filename: "../airplane.jpg" }, "/filename"],
    ["a folder", { filename: "a/b.jpg" }, "/filename"],
    ["a backslash", { filename: "a\\b.jpg" }, "/filename"],
    ["a control character", { filename: "a\u0000b.jpg" }, "/filename"],
    ["a right-to-left mark", { filename: "a\u202egpj.jpg" }, "/filename"],
    ["no extension", { filename: "airplane" }, "/filename"],
    ["an extension that we cannot write", { filename: "airplane.svg" }, "/filename"],
    ["a missing query", { query: undefined }, "/query"],
    ["an unknown provider", { provider: "bing" }, "/provider"],
    ["an unknown orientation", { orientation: "wide" }, "/orientation"],
    ["a floor that is no integer", { min_width: 12.5 }, "/min_width"],
    ["a floor that is a boolean", { min_width: true }, "/min_width"],
    ["an empty variant", { query_variants: ["x", " "] }, "/query_variants"],
    ["a term that is no string", { required_terms: [7] }, "/required_terms"],
    ["a field that does not exist", { min_widht: 100 }, "/min_widht"],
  ])("for %s", async (_, change, pointer) => {
    const project = new Project();
    const response = await project.acquire({ ...ROW, ...change });
    const problem = await response.json<Problem>();
    expect(response.status).toBe(400);
    expect(problem.errors?.map((each) => each.pointer.replace(/\/\d+$/, ""))).toContain(pointer);
    expect((await project.gateway.calls()).requests).toEqual([]);
  });

  it("for a filename that differs only in case, or only in its extension", async () => {
    const project = new Project();
    await project.acquire(ROW);
    const before = (await project.gateway.calls()).requests.length;
    const upper = await project.acquire({ ...ROW, filename: "AIRPLANE.jpg" });
    expect([upper.status, (await upper.json<Problem>()).code]).toEqual([409, "filename-conflict"]);
    const png = await project.acquire({ ...ROW, filename: "airplane.png" });
    expect([png.status, (await png.json<Problem>()).code]).toEqual([409, "stem-conflict"]);
    expect((await project.gateway.calls()).requests).toHaveLength(before);
  });

  it("for a project name that is none", async () => {
    const response = await new Gateway().post("/v1/projects/Not%20a%20name/images", ROW);
    expect(response.status).toBe(400);
  });
});

describe("warnings", () => {
  it("name negative wording, colors, quality words and generic terms, and none of them is searched for", async () => {
    const project = new Project();
    const response = await project.acquire({
      ...ROW,
      query: "high quality airplane from above #ff8800, no people",
      required_terms: ["bridge|airplane"],
    });
    const acquired = await response.json<Acquired>();
    expect(acquired.warnings.map((warning) => warning.code).toSorted()).toEqual([
      "generic-required-term",
      "hex-color",
      "negative-wording",
      "quality-words",
    ]);
    const queries = (await project.gateway.calls()).requests.map((call) => JSON.stringify(call.query)).join(" ");
    for (const word of ["high", "quality", "ff8800", "people"]) expect(queries).not.toContain(word);
  });
});

describe("projects of different tenants", () => {
  it("never meet, even under the same name", async () => {
    const sha256 = async (key: string) =>
      new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key))).toHex();
    const keys = JSON.stringify([
      { sha256: await sha256("key-of-a"), tenant: "a" },
      { sha256: await sha256("key-of-b"), tenant: "b" },
    ]);
    const gateway = new Gateway({ LOCAL_TENANT: "", API_KEYS: keys });
    const as = (key: string) => ({ authorization: `Bearer ${key}` });
    const stored = await gateway.post("/v1/projects/shared/images", ROW, as("key-of-a"));
    expect(stored.status).toBe(201);
    const path = "/v1/projects/shared/files/images/airplane.jpg";
    expect((await gateway.fetch(path, { headers: as("key-of-a") })).status).toBe(200);
    expect((await gateway.fetch(path, { headers: as("key-of-b") })).status).toBe(404);
    expect((await gateway.fetch(path)).status).toBe(401);
  });
});
