import { env } from "cloudflare:workers";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { objectKey } from "../../src/storage/objects.ts";
import { signLink } from "../../src/storage/signed-link.ts";
import { Project as BatchProject, row } from "./batch-project.ts";
import { Gateway } from "./gateway.ts";

interface Entry {
  filename: string;
  title: string;
  author: string;
  download_url: string;
}

const ITEMS = [row("alps.jpg", "french alpine landscape"), row("airplane.jpg", "airplane from above")];

async function filled(): Promise<BatchProject> {
  const project = new BatchProject();
  expect((await project.run({ items: ITEMS })).counts["Sourced"]).toBe(2);
  return project;
}

async function unzipped(response: Response): Promise<Record<string, Uint8Array>> {
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  return unzipSync(new Uint8Array(await response.arrayBuffer()));
}

async function file(project: BatchProject, path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await project.gateway.fetch(`${project.path}/files/${path}`)).arrayBuffer());
}

describe("the archive of a project", () => {
  it("holds every image as it is stored, both manifests and the credits", async () => {
    const project = await filled();
    const response = await project.gateway.fetch(`${project.path}/archive.zip`);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${project.name}.zip"`);
    const files = await unzipped(response);
    expect(Object.keys(files).toSorted()).toEqual([
      "CREDITS.md",
      "image_queries.json",
      "image_sources.json",
      "images/airplane.jpg",
      "images/alps.jpg",
    ]);
    for (const name of ["images/airplane.jpg", "images/alps.jpg", "image_sources.json", "image_queries.json"]) {
      expect(files[name]).toEqual(await file(project, name));
    }
    const credits = strFromU8(files["CREDITS.md"]!);
    expect(credits).toContain("## alps.jpg");
    expect(credits).toContain("## airplane.jpg");
  });

  it("goes to a browser by a link, for ten minutes", async () => {
    const project = await filled();
    const before = Date.now();
    const made = await project.gateway.fetch(`${project.path}/archive-link`, { method: "POST" });
    expect(made.status).toBe(201);
    const { url, expires_at } = await made.json<{ url: string; expires_at: string }>();
    expect(url).toMatch(new RegExp(`^https://sluice\\.test/archive/[\\w.-]+/${project.name}\\.zip$`));
    expect(Math.abs(Date.parse(expires_at) - before - 600_000)).toBeLessThan(60_000);
    const withoutKey = new Gateway({ LOCAL_TENANT: "" });
    const files = await unzipped(await withoutKey.fetch(new URL(url).pathname));
    expect(Object.keys(files)).toContain("images/alps.jpg");
  });

  it("opens by no other link, and for no other tenant", async () => {
    const project = await filled();
    const sign = (tenant: string, resource: string, actions: readonly ("archive" | "read")[], expires: number) =>
      signLink({ tenant, resource, actions, expires }, project.gateway.variables["SIGNING_SECRET"]!);
    const later = Math.floor(Date.now() / 1000) + 600;
    const resource = `archive/${project.name}`;
    const answers = [];
    for (const token of [
      await sign("local", resource, ["archive"], 1),
      await sign("local", resource, ["read"], later),
      await sign("other", resource, ["archive"], later),
      await sign("local", `review/${project.name}/alps.jpg`, ["archive"], later),
      `${await sign("local", resource, ["archive"], later)}x`,
    ]) {
      const answer = await project.gateway.fetch(`/archive/${token}/a.zip`);
      answers.push([answer.status, (await answer.json<{ code: string }>()).code]);
    }
    expect(answers).toEqual([
      [403, "link-invalid"],
      [403, "forbidden"],
      [404, "not-found"],
      [403, "link-invalid"],
      [403, "link-invalid"],
    ]);
  });

  it("says of a picture whose bytes are gone that it is missing, and holds the others", async () => {
    const project = await filled();
    const record = (await env.PROJECTS.getByName(`local/${project.name}`).image("alps.jpg"))!;
    const key = objectKey("local", record.sha256);
    const kept = await (await env.BUCKET.get(key))!.arrayBuffer();
    await env.BUCKET.delete(key);
    const files = await unzipped(await project.gateway.fetch(`${project.path}/archive.zip`));
    await env.BUCKET.put(key, kept, { httpMetadata: { contentType: "image/jpeg" } });
    expect(Object.keys(files)).not.toContain("images/alps.jpg");
    expect(Object.keys(files)).toContain("images/airplane.jpg");
    expect(strFromU8(files["CREDITS.md"]!)).toMatch(/## alps\.jpg\n\n- \*\*The file itself was gone/);
  });

  it("is nothing where the project is", async () => {
    const project = new BatchProject();
    expect((await project.gateway.fetch(`${project.path}/archive.zip`)).status).toBe(404);
    const manifest = JSON.parse(strFromU8(await file(project, "image_sources.json"))) as { items: Entry[] };
    expect(manifest.items).toEqual([]);
  });
});
