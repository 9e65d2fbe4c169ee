import { describe, expect, it } from "vitest";
import { MAX_ROWS, readSubmission, type Submission } from "../../src/batches/submission.ts";

const row = (more: object = {}) => ({ filename: "a.jpg", query: "x", status: "Pending", ...more });

function read(body: unknown): Submission {
  const submission = readSubmission(body);
  if ("faults" in submission) throw new Error(JSON.stringify(submission.faults));
  return submission;
}

function pointersOf(body: unknown): string[] {
  const submission = readSubmission(body);
  return "faults" in submission ? submission.faults.map(({ pointer }) => pointer) : [];
}

describe("an image_queries.json", () => {
  it("comes through as its author wrote it, unknown members included", () => {
    const items = [row({ mine: { deep: [1] }, notes: null }), row({ filename: "b.png", provider: "pexels" })];
    const { items: rows, extra } = read({ deck: "d", items, generated: 3 });
    expect(rows).toEqual(items);
    expect(extra).toEqual({ deck: "d", generated: 3 });
  });

  it("runs with the known defaults", () => {
    expect(read({ items: [row()] }).options).toEqual({ save_candidates: false, concurrency: 3, max_candidates: 8 });
  });

  it.each(["Pending", "Sourced", "Failed", "Needs-Selection", "Needs-Manual"])("knows the status %s", (status) => {
    expect(pointersOf({ items: [row({ status })] })).toEqual([]);
  });

  it.each([
    [{ status: "sourced" }, "/status"],
    [{ status: "" }, "/status"],
    [{ query: " " }, "/query"],
    [{ query: 3 }, "/query"],
    [{ filename: "" }, "/filename"],
    [{ filename: "x/../a.jpg" }, "/filename"],
    [{ filename: String.raw`x\a.jpg` }, "/filename"],
    [{ filename: "a" }, "/filename"],
    [{ filename: "a.svg" }, "/filename"],
    [{ provider: "bing" }, "/provider"],
    [{ orientation: "Landscape" }, "/orientation"],
    [{ candidate_page: 0 }, "/candidate_page"],
    [{ candidate_page: true }, "/candidate_page"],
    [{ min_width: "800" }, "/min_width"],
    [{ min_height: true }, "/min_height"],
    [{ min_height: 1.5 }, "/min_height"],
    [{ strict_no_attribution: "yes" }, "/strict_no_attribution"],
    [{ query_variants: [""] }, "/query_variants"],
  ])("is refused before any search for a row with %j", (more, pointer) => {
    expect(pointersOf({ items: [row({ filename: "first.jpg" }), row(more)] })).toContain(`/items/1${pointer}`);
  });

  it("is refused for two names that a file system takes for one, and for two with one stem", () => {
    const rows = ["hero.jpg", "HERO.jpg", "hero.png", "other.jpg"].map((filename) => row({ filename }));
    expect(pointersOf({ items: rows })).toEqual(["/items/1/filename", "/items/2/filename"]);
    expect(pointersOf({ items: [row({ filename: "\u00e9.jpg" }), row({ filename: "e\u0301.jpg" })] })).toEqual([
      "/items/1/filename",
    ]);
  });

  it.each([
    [{ concurrency: 0 }, "/options/concurrency"],
    [{ max_candidates: -1 }, "/options/max_candidates"],
    [{ speed: 1 }, "/options/speed"],
    [{ webhook: { url: "http://x.example/" } }, "/options/webhook/url"],
    [{ webhook: { url: "https://x.example/", secret: "short" } }, "/options/webhook/secret"],
  ])("is refused for the options %j", (options, pointer) => {
    expect(pointersOf({ items: [row()], options })).toEqual([pointer]);
  });

  it.each([[null], [[]], ["x"], [{}], [{ items: [] }], [{ items: "x" }]])("is not %j", (body) => {
    expect(readSubmission(body)).toHaveProperty("faults");
  });

  it("has a thousand rows at most", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => row({ filename: `${index}.jpg` }));
    expect(read({ items: rows(MAX_ROWS) }).items).toHaveLength(MAX_ROWS);
    expect(pointersOf({ items: rows(MAX_ROWS + 1) })).toEqual(["/items"]);
  });

  it("is refused for a row, or for what stands beside the rows, that no database value can hold", () => {
    const mine = "x".repeat(300_000);
    expect(pointersOf({ items: [row(), row({ filename: "b.jpg", mine })] })).toEqual(["/items/1"]);
    expect(pointersOf({ items: [row()], deck: mine })).toEqual([""]);
    expect(pointersOf({ items: [row({ mine: "x".repeat(100_000) })], deck: "x".repeat(100_000) })).toEqual([]);
  });
});
