import { describe, expect, it } from "vitest";
import { type Problem, Project } from "./candidate-project.ts";

describe("candidate pools", () => {
  it("stay as they are when a page far past the end is asked for, and no preview is", async () => {
    const project = new Project();
    await project.page();
    const before = await project.bytes("candidates/alps/candidates.json");
    const asked = (await project.gateway.calls()).requests.length;
    const past = await project.search({ candidate_page: 900 });
    expect([past.status, (await past.json<Problem>()).code]).toEqual([409, "pool-exhausted"]);
    expect((await project.gateway.calls()).requests.length).toBe(asked);
    expect(await project.bytes("candidates/alps/candidates.json")).toEqual(before);
  });

  it("never mix two searches of one request: each picture keeps its own provenance", async () => {
    const project = new Project();
    // Not every provider answers the first search, so that the second one makes a pool of its own.
    await project.gateway.fault("images", { latencyMs: 300 });
    await project.gateway.fault("pexels", { class: "transient", times: 1 });
    const slow = project.search();
    await new Promise((resolve) => setTimeout(resolve, 150));
    const fast = await project.page();
    const replaced = await slow;
    expect([replaced.status, (await replaced.json<Problem>()).code]).toEqual([409, "no-pool"]);
    expect(fast.candidates.map((each) => each.provider)).toContain("pexels");
    const file = JSON.parse(new TextDecoder().decode(await project.bytes("candidates/alps/candidates.json")));
    expect(file.candidates).toEqual(fast.candidates);
  });

  it("are the same ones when the same request comes again, and no provider is asked", async () => {
    const project = new Project();
    const first = await project.page();
    await project.page({ candidate_page: 2 });
    const before = (await project.gateway.calls()).requests.length;
    const again = await project.page();
    expect(again.candidates.slice(0, 8)).toEqual(first.candidates);
    expect(again.saved_pages).toEqual([1, 2]);
    expect((await project.gateway.calls()).requests).toHaveLength(before);
  });

  it("do not end the search while they are near matches only: the next variant is still asked", async () => {
    const project = new Project({ LICENSED_IMAGE_CHAIN: "pexels" });
    const photos = Array.from({ length: 40 }, (_, id) => ({
      id,
      width: 1800,
      height: 1200,
      alt: `Chongqing monument ${id}`,
      url: `https://www.pexels.com/photo/${id}/`,
      photographer: "Ann",
      src: {
        original: `https://images.pexels.com/photos/${id}.jpeg`,
        large: `https://images.pexels.com/photos/${id}-p.jpeg`,
      },
    }));
    await project.gateway.fault("pexels", { status: 200, body: JSON.stringify({ photos, total_results: 40 }) });
    await project.search({
      query: "Chongqing monument",
      query_variants: ["解放碑"],
      required_terms: ["Jiefangbei|解放碑"],
    });
    const { requests } = await project.gateway.calls();
    expect(JSON.stringify(requests.filter((call) => call.upstream === "pexels"))).toMatch(/解放碑|%E8%A7%A3/);
  });

  it("can be removed before one of them is chosen, and free their name", async () => {
    const project = new Project();
    await project.page();
    const upper = await project.search({ filename: "ALPS.jpg" });
    expect([upper.status, (await upper.json<Problem>()).code]).toEqual([409, "filename-conflict"]);
    const remove = () => project.gateway.fetch(`${project.path}/images/alps.jpg`, { method: "DELETE" });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(404);
    expect((await project.page({ filename: "alps.png" })).candidates).toHaveLength(8);
  });
});
