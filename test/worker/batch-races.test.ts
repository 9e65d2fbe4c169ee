import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Item, item, Project, row } from "./batch-project.ts";

describe("a batch whose rows are changed while they run", () => {
  const prepared = async (items: readonly { filename: string }[], options: Record<string, unknown> = {}) => {
    const project = new Project();
    const batch = await project.run({ items, options });
    return { project, batch, stub: env.BATCHES.getByName(`local/${project.name}/${batch.id}`) };
  };
  const rowsOf = async (state: DurableObjectState) => {
    const { BatchRows } = await import("../../durable-objects/batch-rows.ts");
    return new BatchRows(state.storage.sql);
  };

  it("keeps a person's choice when the runner reports afterwards", async () => {
    const { project, stub, batch } = await prepared([row("own.jpg", "zzqqxxyy")]);
    await runInDurableObject(stub, async (object, state) => {
      const rows = await rowsOf(state);
      rows.put(0, { filename: "own.jpg", query: "x", status: "Pending" }, 0);
      const claim = rows.claim(1, Date.now() + 60_000)!;
      await object.reconcile("own.jpg", "manual", "manual");
      expect(rows.finish(claim, { ...claim.item, status: "Needs-Manual" }, [], undefined)).toBe(false);
    });
    expect(item(await project.get(batch.url), "own.jpg").status).toBe("Sourced");
  });

  it("ends when the last row that waited for another try is chosen by a person", async () => {
    const { project, stub, batch } = await prepared([row("own.jpg", "zzqqxxyy")]);
    await runInDurableObject(stub, async (object, state) => {
      await object.run();
      const rows = await rowsOf(state);
      rows.put(0, { filename: "own.jpg", query: "x", status: "Failed" }, Date.now() + 3_600_000);
      await object.reconcile("own.jpg", "manual", "manual");
    });
    expect((await project.ended(batch.url)).counts["Failed"]).toBe(0);
  });

  it("does not wake for a row that died with its runner once it is cancelled, and then tells its end", async () => {
    const { stub } = await prepared([row("a.jpg", "zzqqxxyy")]);
    await runInDurableObject(stub, async (object, state) => {
      const rows = await rowsOf(state);
      rows.put(0, { filename: "a.jpg", query: "x", status: "Pending" }, 0);
      rows.claim(1, 2);
      await object.cancel();
      const before = object.events(0, 1_000);
      expect(before.open).toBe(true);
      expect(before.events.at(-1)).not.toMatchObject({ data: { state: "cancelled" } });
      await object.alarm();
      expect(await state.storage.getAlarm()).toBeNull();
      const after = object.events(0, 1_000);
      expect(after.open).toBe(false);
      expect(after.events.at(-1)).toMatchObject({ type: "done", data: { state: "cancelled" } });
    });
  });

  it("takes up the image of a runner that died before it could tell, and asks nobody again", async () => {
    const { project, stub, batch } = await prepared([row("airplane.jpg", "airplane from above")]);
    const store = env.PROJECTS.getByName(`local/${project.name}`);
    const record = (await store.image("airplane.jpg"))!;
    const identity = { tenant: "local", project: project.name };
    const afterDeathOf = async (attempt: number) => {
      await runInDurableObject(stub, async (object, state) => {
        await object.run();
        const rows = await rowsOf(state);
        rows.put(0, { filename: "airplane.jpg", query: "zzqqxxyy", status: "Pending" }, 0);
        expect(rows.claim(1, 2)?.attempt).toBe(attempt);
        await object.alarm();
      });
      return item(await project.ended(batch.url), "airplane.jpg");
    };
    // What an attempt stored that had told of it is no end for another one.
    expect(await afterDeathOf(2)).toMatchObject({ status: "Needs-Manual" });
    await store.commit(identity, record, Date.now(), { batch: batch.id, attempt: 4 });
    expect(await afterDeathOf(4)).toMatchObject({ status: "Sourced", sourced_from: record.item.provider });
  });

  it("tells of the rows that waited for another try, once, when it is cancelled", async () => {
    const webhook = {
      url: "https://webhooks.example/cancelled",
      secret: `whsec_${btoa("a-secret-of-this-batch-32-bytes!")}`,
    };
    const { stub } = await prepared([row("a.jpg", "zzqqxxyy"), row("b.jpg", "zzqqxxyy")], { webhook });
    await runInDurableObject(stub, async (object, state) => {
      await object.run();
      const rows = await rowsOf(state);
      rows.put(0, { filename: "a.jpg", query: "x", status: "Pending" }, 0);
      const claim = rows.claim(1, Date.now() + 60_000)!;
      rows.finish(claim, { ...claim.item, status: "Failed", last_error: "later" }, [], Date.now() + 3_600_000);
      const told = () => object.deliveries(0, 100).deliveries.filter(({ type }) => type === "batch.row.changed").length;
      const before = told();
      await object.cancel();
      expect(told()).toBe(before + 1);
      await object.alarm();
      expect(told()).toBe(before + 1);
    });
  });

  it("comes back later, not at once, when its stored files cannot be checked", async () => {
    const { stub } = await prepared([row("airplane.jpg", "airplane from above")]);
    await runInDurableObject(stub, async (object, state) => {
      const inside = object as unknown as { env: Env };
      const { env: whole } = inside;
      await object.run();
      const BUCKET = { head: () => Promise.reject(new Error("no answer")) };
      inside.env = { ...whole, BUCKET } as unknown as Env;
      const started = Date.now();
      await object.alarm();
      expect(await state.storage.getAlarm()).toBeGreaterThan(started + 1_000);
      expect(object.events(0, 1_000).open).toBe(true);
      inside.env = whole;
      await object.alarm();
      expect(object.events(0, 1_000).open).toBe(false);
    });
  });

  it("checks its stored files in parts, and every one of them", async () => {
    const { project, stub, batch } = await prepared([row("airplane.jpg", "airplane from above")]);
    const store = env.PROJECTS.getByName(`local/${project.name}`);
    const record = (await store.image("airplane.jpg"))!;
    const identity = { tenant: "local", project: project.name };
    const names = Array.from({ length: 201 }, (_, index) => `${index}.jpg`);
    for (const filename of names.slice(0, 200)) {
      await store.commit(identity, { ...record, filename, item: { ...record.item, filename } }, Date.now());
    }
    const sourced = names.map((filename) => ({ ...row(filename, "zzqqxxyy"), status: "Sourced" as const }));
    await runInDurableObject(stub, async (object, state) => {
      state.storage.sql.exec("DELETE FROM rows");
      (await rowsOf(state)).insert(sourced);
      await object.run();
    });
    expect((await project.ended(batch.url)).counts).toMatchObject({ Sourced: 200, "Needs-Manual": 1 });
  });

  it("loses none of two changes that come at once", async () => {
    const { project, batch } = await prepared([row("a.jpg", "zzqqxxyy")]);
    const patch = (body: string) =>
      project.gateway.fetch(`${batch.url}/rows/a.jpg`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body,
      });
    const changes = ['{"query": "cat"}', '{"min_width": 900}', '{"slide": "7"}'];
    for (const answer of await Promise.all(changes.map(patch))) expect(answer.status).toBe(200);
    expect(item(await project.get(batch.url), "a.jpg")).toMatchObject({ query: "cat", min_width: 900, slide: "7" });
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

  it("are known by their batch, whatever another batch did to the file, and may not touch its candidates", async () => {
    const identity = { tenant: "local", project: `fences-${crypto.randomUUID()}` };
    const stub = env.PROJECTS.getByName(`local/${identity.project}`);
    const pass = (batch: string, attempt: number) => stub.refusalFor("a.jpg", "search", { batch, attempt });
    expect(await pass("b_1", 2)).toBeUndefined();
    expect(await pass("b_2", 1)).toBeUndefined();
    expect(await pass("b_1", 1)).toMatchObject({ code: "late-attempt" });
    const pool = {
      filename: "a.jpg",
      stem: "a",
      fingerprint: "f",
      request: {},
      searchedAt: 1,
      complete: true,
      ranked: [],
      shown: [],
      unavailable: [],
      page: 1,
      pageSize: 8,
      savedPages: [],
    } as unknown as Parameters<typeof stub.startPool>[1];
    const { generation } = (await stub.startPool(identity, pool, 1, { batch: "b_1", attempt: 2 })) as {
      generation: number;
    };
    const page = { generation, page: 2, pageSize: 8, sheet: "s" };
    expect(await stub.showPage("a.jpg", page, { batch: "b_1", attempt: 1 })).toBeUndefined();
    expect(await stub.showPage("a.jpg", page, { batch: "b_1", attempt: 2 })).toMatchObject({ page: 2 });
  });

  it("cannot replace a candidate that somebody has promoted meanwhile; the row's next attempt can", async () => {
    const project = new Project();
    await project.run({ items: [row("airplane.jpg", "airplane from above")] });
    const stub = env.PROJECTS.getByName(`local/${project.name}`);
    const identity = { tenant: "local", project: project.name };
    const found = (await stub.image("airplane.jpg"))!;
    const fence = (attempt: number) => ({ batch: "b_x", attempt });
    await stub.refusalFor("airplane.jpg", "search", fence(1));
    const promoted = { ...found, selected: { candidate: "candidate_01.jpg", generation: 1 } };
    for (const _ of [1, 2]) expect(await stub.commit(identity, promoted, Date.now())).toBeUndefined();
    expect(await stub.commit(identity, found, Date.now(), fence(1))).toMatchObject({ code: "late-attempt" });
    expect(await stub.commit(identity, found, Date.now(), fence(2))).toBeUndefined();
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
