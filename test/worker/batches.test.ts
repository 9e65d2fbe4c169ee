import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Gateway } from "./gateway.ts";

interface Item {
  filename: string;
  status: string;
  last_error?: string;
  [field: string]: unknown;
}

interface Batch {
  id: string;
  url: string;
  state: string;
  counts: Record<string, number>;
  rows: { item: Item; running: boolean; attempts: { provider: string; class?: string }[] }[];
  next: number | null;
}

interface Problem {
  code: string;
  errors?: { pointer: string }[];
}

let projects = 0;

class Project {
  readonly gateway = new Gateway();
  readonly name = `b${++projects}-${crypto.randomUUID().slice(0, 8)}`;
  readonly path = `/v1/projects/${this.name}`;

  submit(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.gateway.post(`${this.path}/batches`, body, headers);
  }

  async run(body: unknown): Promise<Batch> {
    const response = await this.submit(body);
    expect(response.status).toBe(202);
    return this.ended((await response.json<Batch>()).url);
  }

  async get(url: string): Promise<Batch> {
    return (await this.gateway.fetch(url)).json();
  }

  async ended(url: string): Promise<Batch> {
    for (;;) {
      const batch = await this.get(url);
      if (batch.state !== "running") return batch;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async queries(): Promise<{ items: Item[]; [field: string]: unknown }> {
    return (await this.gateway.fetch(`${this.path}/files/image_queries.json`)).json();
  }
}

const row = (filename: string, query: string, more: Record<string, unknown> = {}) => ({
  filename,
  query,
  status: "Pending",
  ...more,
});
const item = (batch: Batch, filename: string) => batch.rows.find((each) => each.item.filename === filename)!.item;

describe("a batch", () => {
  it("brings every row to its end: sourced, or needing a person with a reason", async () => {
    const project = new Project();
    const batch = await project.run({
      deck: "kept as it is",
      items: [
        row("airplane.jpg", "airplane from above", { mine: { a: [1] } }),
        row("alps.jpg", "french alpine landscape", { provider: "wikimedia" }),
        row("nothing.jpg", "zzqqxxyy"),
      ],
    });
    expect(batch).toMatchObject({
      state: "idle",
      counts: { Sourced: 2, "Needs-Manual": 1, Pending: 0, Failed: 0, "Needs-Selection": 0 },
    });
    expect(item(batch, "airplane.jpg")).toMatchObject({ status: "Sourced", mine: { a: [1] } });
    expect(item(batch, "alps.jpg")).toMatchObject({
      status: "Sourced",
      provider: "wikimedia",
      sourced_from: "wikimedia",
    });
    expect(item(batch, "nothing.jpg").last_error).toMatch(/no image qualifies/);
    const queries = await project.queries();
    expect(queries).toMatchObject({ deck: "kept as it is" });
    expect(queries.items.map((each) => each.status)).toEqual(["Sourced", "Sourced", "Needs-Manual"]);
    const again = new Project();
    expect((await again.submit(queries)).status).toBe(202);
    for (const filename of ["airplane.jpg", "alps.jpg"]) {
      expect((await project.gateway.fetch(`${project.path}/files/images/${filename}`)).status).toBe(200);
    }
  });

  it("shows candidates, takes the next page, and a promoted row is sourced", async () => {
    const project = new Project();
    const batch = await project.run({
      items: [row("alps.jpg", "french alpine landscape")],
      options: { save_candidates: true },
    });
    expect(item(batch, "alps.jpg")).toMatchObject({
      status: "Needs-Selection",
      candidate_page: 1,
      candidate_count: 8,
      next_candidate_page: 2,
      has_more_candidates: true,
      review_sheet: "candidates/alps/review_sheet.jpg",
    });
    const patched = await project.gateway.fetch(`${batch.url}/rows/alps.jpg`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"candidate_page": 2}',
    });
    expect(await patched.json()).toMatchObject({ status: "Pending", candidate_page: 2 });
    expect((await project.gateway.post(`${batch.url}/run`, {})).status).toBe(202);
    expect(item(await project.ended(batch.url), "alps.jpg")).toMatchObject({
      status: "Needs-Selection",
      candidate_page: 2,
    });
    const promoted = await project.gateway.post(`${project.path}/images/alps.jpg/promote`, {
      candidate: "candidate_09.jpg",
    });
    expect(promoted.status).toBe(201);
    const after = item(await project.get(batch.url), "alps.jpg");
    expect(after.status).toBe("Sourced");
    expect(after).not.toHaveProperty("review_sheet");
  });

  it("leaves a shortlist as it is when a page past its end is asked for", async () => {
    const project = new Project();
    const batch = await project.run({
      items: [row("cat.jpg", "cat", { provider: "pexels" })],
      options: { save_candidates: true },
    });
    const before = item(batch, "cat.jpg");
    await project.gateway.fetch(`${batch.url}/rows/cat.jpg`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"candidate_page": 99}',
    });
    await project.gateway.post(`${batch.url}/run`, {});
    const after = item(await project.ended(batch.url), "cat.jpg");
    expect(after).toMatchObject({
      status: "Needs-Selection",
      review_sheet: before["review_sheet"],
      candidate_count: before["candidate_count"],
    });
    expect(after.last_error).toMatch(/past/);
    expect(
      (await project.gateway.post(`${project.path}/images/cat.jpg/promote`, { candidate: "candidate_01.jpg" })).status,
    ).toBe(201);
  });

  it("never searches over an image that a person chose, and accepts it as the row's end", async () => {
    const project = new Project();
    const batch = await project.run({ items: [row("own.jpg", "zzqqxxyy")] });
    expect(item(batch, "own.jpg").status).toBe("Needs-Manual");
    const body = JSON.stringify({ url: "https://odd.example/progressive.jpg", min_width: 1, min_height: 1 });
    await project.gateway.fetch(`${project.path}/images/own.jpg/from-url`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(item(await project.get(batch.url), "own.jpg")).toMatchObject({ status: "Sourced", license_tier: "manual" });
    const again = await project.run({ items: [row("own.jpg", "airplane from above")] });
    expect(item(again, "own.jpg").status).toBe("Needs-Manual");
    const image = await (await project.gateway.fetch(`${project.path}/images/own.jpg`)).json<{ item: Item }>();
    expect(image.item.status).toBe("manual");
  });

  it("finds sourced rows whose file is gone, and sources them again in the same run", async () => {
    const project = new Project();
    const batch = await project.run({
      items: [row("airplane.jpg", "airplane from above"), { ...row("old.jpg", "cat"), status: "Sourced" }],
    });
    expect(batch.counts["Sourced"]).toBe(2);
    await project.gateway.fetch(`${project.path}/images/airplane.jpg`, { method: "DELETE" });
    await project.gateway.post(`${batch.url}/run`, {});
    expect((await project.ended(batch.url)).counts["Sourced"]).toBe(2);
    expect((await project.gateway.fetch(`${project.path}/files/images/airplane.jpg`)).status).toBe(200);
  });
});

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

  it("holds a key while the first request is being answered, and for a day after it", async () => {
    const stub = env.PROJECTS.getByName(`local/keys-${crypto.randomUUID()}`);
    const hour = 3_600_000;
    expect(await stub.claimKey("k", "body", 0)).toEqual({ kind: "new" });
    expect(await stub.claimKey("k", "body", 30_000)).toEqual({ kind: "in-flight" });
    await stub.addBatch("b_1", ["a.jpg"], "k", 31_000);
    expect(await stub.claimKey("k", "body", 23 * hour)).toEqual({ kind: "same", batch: "b_1" });
    expect(await stub.claimKey("k", "other", 23 * hour)).toEqual({ kind: "other-body" });
    expect(await stub.claimKey("k", "other", 25 * hour)).toEqual({ kind: "new" });
    // A submission whose Worker died does not block its key for the day.
    expect(await stub.claimKey("k", "other", 25 * hour + 61_000)).toEqual({ kind: "new" });
  });
});

describe("watching", () => {
  const read = async (project: Project, url: string, headers: Record<string, string> = {}) => {
    const text = await (await project.gateway.fetch(`${url}/events`, { headers })).text();
    return text
      .split("\n\n")
      .filter((block) => block.includes("event: "))
      .map((block) => ({
        id: Number(/^id: (\d+)$/m.exec(block)![1]),
        type: /^event: (\w+)$/m.exec(block)![1],
        data: JSON.parse(/^data: (.*)$/m.exec(block)![1]!),
      }));
  };

  it("tells every change of a row and the end, and goes on behind the last one that was seen", async () => {
    const project = new Project();
    const response = await project.submit({
      items: [row("a.jpg", "airplane from above"), row("b.jpg", "cat"), row("c.jpg", "zzqqxxyy")],
    });
    const { url } = await response.json<Batch>();
    const events = await read(project, url);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    expect(
      events
        .filter((event) => event.type === "row")
        .map((event) => event.data.filename)
        .toSorted(),
    ).toEqual(["a.jpg", "b.jpg", "c.jpg"]);
    expect(events.at(-1)).toMatchObject({ type: "done", data: { state: "idle" } });
    const rest = await read(project, url, { "last-event-id": "3" });
    expect(rest).toEqual(events.slice(3));
  });
});

describe("cancelling", () => {
  it("begins no further row, and a cancelled batch runs no more", async () => {
    const project = new Project();
    const items = Array.from({ length: 30 }, (_, index) => row(`${index}.jpg`, "airplane from above"));
    const { url } = await (await project.submit({ items, options: { concurrency: 1 } })).json<Batch>();
    const cancelled = await project.gateway.fetch(url, { method: "DELETE" });
    expect((await cancelled.json<Batch>()).state).toBe("cancelled");
    const again = await project.gateway.post(`${url}/run`, {});
    expect([again.status, (await again.json<Problem>()).code]).toEqual([409, "batch-ended"]);
    expect((await project.get(url)).counts["Pending"]).toBeGreaterThan(0);
  });
});

describe("late runners", () => {
  it("cannot overwrite the winner, nor an image that a person chose", async () => {
    const project = new Project();
    await project.run({ items: [row("airplane.jpg", "airplane from above")] });
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    const identity = { tenant: "local", project: project.name };
    const won = (await stub.image("airplane.jpg"))!;
    const late = { ...won, sha256: "0".repeat(64) };
    await stub.refusalFor("airplane.jpg", "search", { batch: "b_x", attempt: 2 });
    expect(await stub.commit(identity, late, Date.now(), { batch: "b_x", attempt: 1 })).toMatchObject({
      code: "late-attempt",
    });
    expect((await stub.image("airplane.jpg"))!.sha256).toBe(won.sha256);
    expect(await stub.commit(identity, { ...won, origin: "manual" }, Date.now())).toBeUndefined();
    expect(await stub.commit(identity, late, Date.now(), { batch: "b_x", attempt: 3 })).toMatchObject({
      code: "manual-image-kept",
    });
  });

  it("have their report refused once the lease is somebody else's", async () => {
    const project = new Project();
    const batch = await project.run({ items: [row("airplane.jpg", "airplane from above")] });
    const { BatchRows } = await import("../../durable-objects/batch-rows.ts");
    await runInDurableObject(env.BATCHES.getByName(`local/${project.name}/${batch.id}`), (_, state) => {
      const rows = new BatchRows(state.storage.sql);
      rows.put(0, { filename: "airplane.jpg", query: "x", status: "Pending" }, 0);
      const slow = rows.claim(1_000, 2_000)!;
      expect(rows.takeBack(3_000)).toEqual([]);
      const fast = rows.claim(3_000, 9_000)!;
      expect(fast.attempt).toBe(slow.attempt + 1);
      expect(rows.renew(slow, 9_999)).toBe(false);
      expect(rows.finish(slow, { ...slow.item, status: "Failed" }, [], undefined)).toBe(false);
      expect(rows.finish(fast, { ...fast.item, status: "Sourced" }, [], undefined)).toBe(true);
      rows.put(0, { filename: "airplane.jpg", query: "x", status: "Pending" }, 0);
      for (let crash = 1; crash <= 3; crash++) {
        rows.claim(10_000 * crash, 10_000 * crash + 1);
        expect(rows.takeBack(10_000 * crash + 2)).toHaveLength(crash === 3 ? 1 : 0);
      }
      expect(rows.nextDue()).toBeUndefined();
    });
  });
});

describe("a project", () => {
  it("keeps every one of 200 commits that come at once", async () => {
    const project = new Project();
    await project.run({ items: [row("airplane.jpg", "airplane from above")] });
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    const record = (await stub.image("airplane.jpg"))!;
    const identity = { tenant: "local", project: project.name };
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const filename = `copy-${index}.jpg`;
        return stub.commit(identity, { ...record, filename, item: { ...record.item, filename } }, Date.now());
      }),
    );
    const manifest = await (
      await project.gateway.fetch(`${project.path}/files/image_sources.json`)
    ).json<{ items: Item[] }>();
    expect(new Set(manifest.items.map((each) => each.filename)).size).toBe(201);
    expect(manifest.items).toHaveLength(201);
  });
});

describe("webhooks", () => {
  const secret = `whsec_${btoa("a-secret-of-this-one-batch-32-b!")}`;

  it("tell every row, every selection and the end, signed so that the reference library takes them", async () => {
    const project = new Project();
    const path = `/hook-${project.name}`;
    const batch = await project.run({
      items: [row("alps.jpg", "french alpine landscape"), row("nothing.jpg", "zzqqxxyy")],
      options: { save_candidates: true, webhook: { url: `https://webhooks.example${path}`, secret } },
    });
    const received = await until(async () => {
      const calls = (
        await (
          await fetch(`${upstreamsUrl()}/__requests`)
        ).json<{ requests: { path: string; body: string; headers: Record<string, string> }[] }>()
      ).requests.filter((call) => call.path === path);
      return calls.length >= 4 ? calls : undefined;
    });
    const events = received.map(
      (call) => new Webhook(secret).verify(call.body, call.headers) as { type: string; data: Record<string, unknown> },
    );
    expect(events.map((event) => event.type).toSorted()).toEqual([
      "batch.completed",
      "batch.needs_selection",
      "batch.row.changed",
      "batch.row.changed",
    ]);
    const selection = events.find((event) => event.type === "batch.needs_selection")!;
    expect(selection.data).toMatchObject({ filename: "alps.jpg", candidate_page: 1 });
    const log = await (
      await project.gateway.fetch(`${batch.url}/deliveries`)
    ).json<{ deliveries: { id: string; state: string }[] }>();
    expect(log.deliveries).toHaveLength(4);
    expect(JSON.stringify(log) + JSON.stringify(batch)).not.toContain(secret);
    const resent = await project.gateway.post(`${batch.url}/deliveries/${log.deliveries[0]!.id}/resend`, {});
    expect(resent.status).toBe(202);
    await until(async () => {
      const calls = (
        await (
          await fetch(`${upstreamsUrl()}/__requests`)
        ).json<{ requests: { path: string; headers: Record<string, string> }[] }>()
      ).requests;
      const ids = calls.filter((call) => call.path === path).map((call) => call.headers["webhook-id"]);
      return ids.filter((id) => id === log.deliveries[0]!.id).length === 2 ? ids : undefined;
    });
  });

  it("start a batch when their signature is ours, and the same one when they come again", async () => {
    const key = `whsec_${btoa("the-secret-of-the-tenant-32-byte")}`;
    const gateway = new Gateway({ WEBHOOKS: JSON.stringify({ acme: { secrets: [key] } }) });
    const body = JSON.stringify({ items: [row("airplane.jpg", "airplane from above")] });
    const send = (id: string, at: Date, signedBy = key) =>
      gateway.fetch("/v1/hooks/acme/inbound", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(signedBy).sign(id, at, body),
        },
        body,
      });
    const now = new Date();
    const first = await send("msg_1", now);
    expect(first.status).toBe(202);
    expect(first.headers.get("location")).toMatch(/^\/v1\/projects\/inbound\/batches\/b_/);
    expect((await send("msg_1", now)).headers.get("location")).toBe(first.headers.get("location"));
    expect((await send("msg_2", now, secret)).status).toBe(401);
    expect((await send("msg_3", new Date(now.getTime() - 3_600_000))).status).toBe(401);
    expect((await gateway.post("/v1/hooks/nobody/inbound", JSON.parse(body))).status).toBe(401);
  });
});

/** Batches run by themselves, with the bindings of the test run: in the simulator's default scope. */
function upstreamsUrl(): string {
  return new Gateway().scopeUrl.replace(/\/__scope\/.*/, "");
}

async function until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
