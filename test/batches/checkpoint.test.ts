import { describe, expect, it } from "vitest";
import { checkpoint, type CheckpointInput, type CheckpointLineId } from "../../src/batches/checkpoint.ts";
import type { RowItem } from "../../src/batches/rows.ts";
import { manualItem, type ManifestItem, providerItem } from "../../src/images/provenance.ts";
import { BY_SA, candidate, CC0, request } from "../images/samples.ts";

const SIZE = { width: 1280, height: 853 };

const row = (status: RowItem["status"], more: object = {}): RowItem => ({
  filename: "hero.jpg",
  query: "x",
  status,
  ...more,
});

const found = (more: Parameters<typeof candidate>[0] = {}): ManifestItem =>
  providerItem(request(), { candidate: candidate({ ...SIZE, ...more }) }, SIZE, {
    status: "promoted",
    selectionMethod: "visual-thumbnail",
  });

const chosen = manualItem(
  "hero.jpg",
  "https://x.example/hero.jpg",
  { slide: "", purpose: "", searchQuery: "", orientation: "any", requiredTerms: [] },
  SIZE,
);

const check = (rows: RowItem[], items: ManifestItem[], more: Partial<CheckpointInput> = {}) =>
  checkpoint({
    rows,
    images: items.map((item) => ({ item, stored: true })),
    showsCandidates: false,
    pages: undefined,
    ...more,
  });

const lineOf = (result: ReturnType<typeof check>, id: CheckpointLineId) => result.lines.find((line) => line.id === id)!;

/** The lines that are not met. */
const unmet = (result: ReturnType<typeof check>) => result.lines.filter(({ ok }) => ok !== true).map(({ id }) => id);

describe("the checkpoint", () => {
  it("is complete when every row is sourced with its file, or needs a person for a reason", () => {
    const manual = { ...row("Needs-Manual", { last_error: "no image qualifies" }), filename: "none.jpg" };
    const result = check([row("Sourced"), manual], [found()]);
    expect(result.complete).toBe(true);
    expect(result.lines.flatMap(({ problems, warnings }) => [...problems, ...warnings])).toEqual([]);
  });

  it.each(["Pending", "Failed", "Needs-Selection"] as const)(
    "is open while a row is %s, though a file is there",
    (status) => {
      const result = check([row(status)], [found()]);
      expect(unmet(result)).toEqual(["rows-ended"]);
      expect(lineOf(result, "rows-ended").problems).toMatchObject([
        { filename: "hero.jpg", detail: expect.stringContaining(status) },
      ]);
    },
  );

  it("takes no row for sourced without its entry, or without its bytes", () => {
    expect(unmet(check([row("Sourced")], []))).toEqual(["rows-ended", "manifest-entries"]);
    expect(unmet(check([row("Sourced")], [], { images: [{ item: found(), stored: false }] }))).toEqual(["rows-ended"]);
  });

  it.each([{}, { last_error: " " }, { last_error: 3 }])("asks a Needs-Manual row with %j for its reason", (more) => {
    expect(unmet(check([row("Needs-Manual", more)], []))).toEqual(["manual-reasons"]);
  });

  it.each([
    ["no valid tier", { license_tier: "free" }],
    ["no attribution text", { attribution_text: " " }],
    ["attribution that contradicts its tier", { attribution_required: true, author: "Jane" }],
  ])("finds an entry with %s", (_, wrong) => {
    const result = check([row("Sourced")], [{ ...found(), ...wrong } as ManifestItem], { pages: [] });
    expect(unmet(result)).toEqual(["manifest-entries"]);
  });

  it("finds an image that needs attribution and has no author", () => {
    const result = check([row("Sourced")], [{ ...found({ license: BY_SA }), author: "" }], { pages: [] });
    expect(unmet(result)).toEqual(["manifest-entries"]);
  });

  it("asks a person's choice for no attribution and no selection method", () => {
    expect(check([row("Sourced")], [chosen], { showsCandidates: true }).complete).toBe(true);
  });

  it("finds a visual check that did not occur, and an image that nobody looked at where somebody looks", () => {
    const best = { ...found(), status: "sourced", selection_method: "metadata-ranked" } as ManifestItem;
    expect(check([row("Sourced")], [best]).complete).toBe(true);
    expect(unmet(check([row("Sourced")], [best], { showsCandidates: true }))).toEqual(["selection-method"]);
    const claimed = { ...best, selection_method: "visual-thumbnail" } as ManifestItem;
    expect(unmet(check([row("Sourced")], [claimed]))).toEqual(["selection-method"]);
  });

  it.each([
    [{ width: 4836, height: 2915 }, 1],
    [{ width: 1400, height: 900 }, 0],
    [{ width: 640, height: 426 }, 0],
  ])("warns of a claim of %j %i times, and is complete nevertheless", (claimed, times) => {
    const result = check([row("Sourced")], [found(claimed)]);
    const { warnings } = lineOf(result, "size-warnings");
    expect([result.complete, warnings.length]).toEqual([true, times]);
    if (times > 0) expect(warnings[0]!.detail).toMatch(/1280x853.*4836x2915/);
  });

  it("leaves credits open until the pages are sent", () => {
    const images = [found({ license: BY_SA })];
    const before = check([row("Sourced")], images);
    expect([before.complete, lineOf(before, "page-credits").ok]).toEqual([false, null]);
    expect(lineOf(before, "page-credits").warnings).toMatchObject([{ filename: "hero.jpg" }]);
    const page = { name: "01", images: ["hero.jpg"], unlisted: [], problems: [] };
    expect(check([row("Sourced")], images, { pages: [page] }).complete).toBe(true);
    const faulty = { ...page, problems: [{ filename: "hero.jpg", detail: "no credit" }] };
    expect(
      lineOf(check([row("Sourced")], images, { pages: [page, { ...faulty, name: "02" }] }), "page-credits"),
    ).toMatchObject({
      ok: false,
      problems: [{ filename: "hero.jpg", page: "02", detail: "no credit" }],
    });
    expect(
      unmet(
        check([row("Sourced")], [found({ license: CC0 })], { pages: [{ ...page, unreadable: "it is not an SVG" }] }),
      ),
    ).toEqual(["page-credits"]);
  });

  it("warns of pictures that the manifest does not know", () => {
    const page = { name: "01", images: [], unlisted: ["logo.png"], problems: [] };
    expect(lineOf(check([row("Sourced")], [found()], { pages: [page] }), "page-credits")).toMatchObject({
      ok: true,
      warnings: [{ filename: "logo.png", page: "01" }],
    });
  });
});
