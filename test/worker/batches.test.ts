import { describe, expect, it } from "vitest";
import { type Batch, type Item, item, type Problem, Project, row } from "./batch-project.ts";

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
    expect(item(again, "own.jpg")).toMatchObject({ status: "Sourced", license_tier: "manual" });
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
