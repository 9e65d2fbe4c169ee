import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../src/storage/objects.ts";
import { type Batch, type Problem, Project, row } from "./batch-project.ts";

describe("a submission", () => {
  it("is refused as a whole, with every fault of every row", async () => {
    const project = new Project();
    const response = await project.submit({
      items: [
        row("a/b.jpg", "x"),
        row("same.jpg", "x"),
        row("SAME.jpg", "x"),
        row("same.png", "x"),
        row("c.jpg", "x", { provider: "bing" }),
        row("d.jpg", "x", { orientation: "wide" }),
        row("e.jpg", "x", { min_width: "800" }),
        row("f.bmp", "x"),
        { filename: "g.jpg", query: "x" },
        row("h.jpg", "x", { status: "pending" }),
        "no object",
      ],
      options: { concurrency: 17, webhook: { url: "http://example.com/" } },
    });
    expect(response.status).toBe(400);
    const first = (await response.json<Problem>()).errors!.map((each) => each.pointer);
    expect(first).toEqual(["/options/concurrency", "/options/webhook/url"]);
    const rows = await project.submit({
      items: [
        row("a/b.jpg", "x"),
        row("same.jpg", "x"),
        row("SAME.jpg", "x"),
        row("same.png", "x"),
        row("c.jpg", "x", { provider: "bing" }),
        row("d.jpg", "x", { orientation: "wide" }),
        row("e.jpg", "x", { min_width: "800" }),
        row("f.bmp", "x"),
        { filename: "g.jpg", query: "x" },
        row("h.jpg", "x", { status: "pending" }),
        "no object",
      ],
    });
    expect((await rows.json<Problem>()).errors!.map((each) => each.pointer)).toEqual([
      "/items/0/filename",
      "/items/2/filename",
      "/items/3/filename",
      "/items/4/provider",
      "/items/5/orientation",
      "/items/6/min_width",
      "/items/7/filename",
      "/items/8/status",
      "/items/9/status",
      "/items/10",
    ]);
    expect(
      (await (await project.gateway.fetch(`${project.path}/batches`)).json<{ batches: unknown[] }>()).batches,
    ).toEqual([]);
  });

  it("refuses more than a thousand rows, none, and webhooks that lead inside", async () => {
    const project = new Project();
    const many = Array.from({ length: 1_001 }, (_, index) => row(`${index}.jpg`, "cat"));
    for (const body of [
      { items: many },
      { items: [] },
      {},
      { items: [row("a.jpg", "cat")], options: { webhook: { url: "https://127.0.0.1/" } } },
      // Nobody could verify it: neither the batch nor the tenant has a secret.
      { items: [row("a.jpg", "cat")], options: { webhook: { url: "https://webhooks.example/unsigned" } } },
    ]) {
      expect((await project.submit(body)).status).toBe(400);
    }
  });

  it("with the same idempotency key and body is the same batch, with another body an error", async () => {
    const project = new Project();
    const body = { items: [row("a.jpg", "airplane from above")] };
    const headers = { "idempotency-key": "deck-7" };
    const first = await (await project.submit(body, headers)).json<Batch>();
    const second = await project.submit(body, headers);
    expect((await second.json<Batch>()).id).toBe(first.id);
    const other = await project.submit({ items: [row("b.jpg", "cat")] }, headers);
    expect([other.status, (await other.json<Problem>()).code]).toEqual([422, "idempotency-mismatch"]);
    expect(
      (await (await project.gateway.fetch(`${project.path}/batches`)).json<{ batches: unknown[] }>()).batches,
    ).toHaveLength(1);
  });

  it("whose Worker died before the batch began is begun by the repetition, as the same batch", async () => {
    const project = new Project();
    const body = { items: [row("a.jpg", "airplane from above")] };
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    const fingerprint = await sha256Hex(new TextEncoder().encode(JSON.stringify(body)) as Uint8Array<ArrayBuffer>);
    await stub.claimKey("k", fingerprint, Date.now());
    const identity = { tenant: "local", project: project.name };
    await stub.addBatch(identity, "b_dead", ["a.jpg"], "k", Date.now());
    const response = await project.submit(body, { "idempotency-key": "k" });
    expect(response.status).toBe(202);
    const { id, url } = await response.json<Batch>();
    expect(id).toBe("b_dead");
    expect((await project.ended(url)).counts["Sourced"]).toBe(1);
  });

  it("holds a key while the first request is being answered, and for a day after it", async () => {
    const identity = { tenant: "local", project: `keys-${crypto.randomUUID()}` };
    const stub = env.PROJECTS.getByName(`local/${identity.project}`);
    const hour = 3_600_000;
    expect(await stub.claimKey("k", "body", 0)).toEqual({ kind: "new" });
    expect(await stub.claimKey("k", "body", 30_000)).toEqual({ kind: "in-flight" });
    await stub.addBatch(identity, "b_1", ["a.jpg"], "k", 31_000);
    expect(await stub.claimKey("k", "body", 23 * hour)).toEqual({ kind: "same", batch: "b_1" });
    expect(await stub.claimKey("k", "other", 23 * hour)).toEqual({ kind: "other-body" });
    expect(await stub.claimKey("k", "other", 25 * hour)).toEqual({ kind: "new" });
    // A submission whose Worker died does not block its key for the day.
    expect(await stub.claimKey("k", "other", 25 * hour + 61_000)).toEqual({ kind: "new" });
  });
});
