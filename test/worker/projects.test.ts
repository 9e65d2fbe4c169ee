import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { apiKeys } from "./api-keys.ts";
import { Project, row } from "./batch-project.ts";
import { Gateway } from "./gateway.ts";

interface List {
  projects: { project: string; changed_at: string | null }[];
  next: string | null;
}

const ALPS = { filename: "alps.jpg", query: "french alpine landscape" };

async function keyed(): Promise<Gateway> {
  const tenants = ["alpha", "beta"].map((tenant) => ({ key: `key-${tenant}`, tenant: `${tenant}-list` }));
  const narrow = { key: "key-narrow", tenant: "alpha-list", scopes: ["images"] };
  return new Gateway({ LOCAL_TENANT: "", API_KEYS: await apiKeys(...tenants, narrow) });
}

async function list(gateway: Gateway, query: string): Promise<List> {
  const response = await gateway.fetch(`/v1/projects?${query}`);
  expect(response.status).toBe(200);
  return response.json<List>();
}

describe("the projects of a tenant", () => {
  it("are listed from their first image, pool or batch on, and only its own", async () => {
    const gateway = await keyed();
    const began = Date.now();
    expect(await list(gateway, "key=key-alpha")).toEqual({ projects: [], next: null });
    await gateway.post("/v1/projects/c-image/images?key=key-alpha", ALPS);
    await gateway.post("/v1/projects/a-pool/images?key=key-alpha", { ...ALPS, save_candidates: true });
    const items = [{ ...ALPS, status: "Needs-Manual" }];
    await gateway.post("/v1/projects/b-batch/batches?key=key-alpha", { items });
    await gateway.post("/v1/projects/z-theirs/images?key=key-beta", { ...ALPS, save_candidates: true });
    const { projects, next } = await list(gateway, "key=key-alpha");
    expect([projects.map(({ project }) => project), next]).toEqual([["a-pool", "b-batch", "c-image"], null]);
    for (const { changed_at } of projects) expect(Date.parse(changed_at!)).toBeGreaterThanOrEqual(began);
    expect((await list(gateway, "key=key-beta")).projects.map(({ project }) => project)).toEqual(["z-theirs"]);
  });

  it("come in pages, each of them once, whatever their names begin with", async () => {
    const gateway = new Gateway({ LOCAL_TENANT: "many" });
    const numbered = Array.from({ length: 58 }, (_, index) => `deck${index}`);
    const names = [...numbered, "deck", "deck-1", "deck.x"].toSorted();
    for (const name of names) await env.BUCKET.put(`tenants/many/projects/${name}/project.json`, "{}");
    const seen: string[] = [];
    let pages = 0;
    for (let after: string | null = ""; after !== null; pages++) {
      const page: List = await list(gateway, after === "" ? "" : `after=${after}`);
      expect(page.projects.length).toBeLessThanOrEqual(50);
      seen.push(...page.projects.map(({ project }) => project));
      after = page.next;
    }
    expect(pages).toBe(2);
    expect(seen.toSorted()).toEqual(names);
  });

  it("say when they changed last", async () => {
    const project = new Project();
    await project.gateway.post(`${project.path}/images`, { ...ALPS, save_candidates: true });
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    const changed = async () =>
      (await list(project.gateway, "")).projects.find((each) => each.project === project.name)?.changed_at;
    const first = Date.parse((await changed())!);
    const pool = (await stub.pool("alps.jpg"))!;
    await stub.startPool({ tenant: "local", project: project.name }, pool, first + 60_000);
    await runDurableObjectAlarm(stub);
    expect(Date.parse((await changed())!)).toBe(first + 60_000);
  });
});

describe("removing a project", () => {
  it("takes its images, candidates, batches and files away, and leaves other projects alone", async () => {
    const project = new Project();
    const batch = await project.run({ items: [row("alps.jpg", "french alpine landscape")] });
    await project.gateway.post(`${project.path}/images`, { ...ALPS, filename: "pool.jpg", save_candidates: true });
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    await runDurableObjectAlarm(stub);
    const neighbor = `${project.path}-next`;
    await project.gateway.post(`${neighbor}/images`, ALPS);
    const record = (await stub.image("alps.jpg"))!;
    const prefix = `tenants/local/projects/${project.name}/`;
    expect((await env.BUCKET.list({ prefix })).objects.length).toBe(2);

    const removed = await project.gateway.fetch(project.path, { method: "DELETE" });
    expect([removed.status, await removed.text()]).toEqual([204, ""]);

    for (const path of [
      batch.url,
      `${batch.url}/events`,
      `${project.path}/images/alps.jpg`,
      `${project.path}/files/images/alps.jpg`,
      `${project.path}/files/candidates/pool/candidates.json`,
      `${project.path}/files/image_queries.json`,
      `${project.path}/archive.zip`,
    ]) {
      expect([path, (await project.gateway.fetch(path)).status]).toEqual([path, 404]);
    }
    expect((await env.BUCKET.list({ prefix })).objects).toEqual([]);
    expect((await env.BUCKET.head(`tenants/local/objects/${record.sha256}`))?.size).toBe(record.bytes);
    expect((await project.gateway.fetch(`${neighbor}/images/alps.jpg`)).status).toBe(200);
    expect((await project.gateway.fetch(project.path, { method: "DELETE" })).status).toBe(404);
    await runInDurableObject(stub, async (_, state) => expect(await state.storage.getAlarm()).toBeNull());
  });

  it("stops a batch that runs: nothing of it comes back, and the name can be used again", async () => {
    const project = new Project();
    const items = Array.from({ length: 12 }, (_, index) => row(`${index}.jpg`, "french alpine landscape"));
    const { url, id } = await (await project.submit({ items })).json<{ url: string; id: string }>();
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    expect((await project.gateway.fetch(project.path, { method: "DELETE" })).status).toBe(204);
    // A runner that was at work on a row reports as soon as it is done.
    const fence = { batch: id, attempt: 7 };
    expect(await stub.refusalFor("0.jpg", "search", fence)).toMatchObject({ code: "late-attempt" });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect((await stub.images(0, 50)).images).toEqual([]);
    expect((await project.gateway.fetch(url)).status).toBe(404);
    const again = await project.run({ items: items.slice(0, 1) });
    expect(again.counts["Sourced"]).toBe(1);
  });

  it("needs the scopes for both, images and batches", async () => {
    const gateway = await keyed();
    await gateway.post("/v1/projects/kept/images?key=key-alpha", ALPS);
    const init = { method: "DELETE" };
    expect((await gateway.fetch("/v1/projects/kept?key=key-narrow", init)).status).toBe(403);
    expect((await gateway.fetch("/v1/projects/kept?key=key-beta", init)).status).toBe(404);
    expect((await gateway.fetch("/v1/projects/kept/images/alps.jpg?key=key-alpha")).status).toBe(200);
  });
});
