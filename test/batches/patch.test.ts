import { describe, expect, it } from "vitest";
import { patchedRow } from "../../src/batches/patch.ts";
import type { RowItem } from "../../src/batches/rows.ts";
import { SluiceError } from "../../src/errors.ts";

const ROW: RowItem = {
  filename: "a.jpg",
  query: "old",
  status: "Needs-Selection",
  candidate_page: 2,
  min_width: 900,
  review_sheet: "candidates/a/review_sheet.jpg",
  mine: "kept",
};

function pointersOf(changes: Record<string, unknown>): string[] {
  try {
    patchedRow(ROW, changes);
    return [];
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== "invalid-request") throw error;
    return error.faults.map(({ pointer }) => pointer);
  }
}

describe("a change of a row", () => {
  it("of the page leaves the shortlist that is there", () => {
    expect(patchedRow(ROW, { candidate_page: 3 })).toEqual({ ...ROW, status: "Pending", candidate_page: 3 });
  });

  it("of the search begins at the first page, without the old shortlist", () => {
    const { review_sheet: _, ...rest } = ROW;
    expect(patchedRow(ROW, { query: "new" })).toEqual({ ...rest, status: "Pending", candidate_page: 1, query: "new" });
    expect(patchedRow(ROW, { query: "new", candidate_page: 4 })["candidate_page"]).toBe(4);
  });

  it("takes an optional field away with null", () => {
    const after = patchedRow(ROW, { min_width: null });
    expect(after).not.toHaveProperty("min_width");
    expect(after).toMatchObject({ status: "Pending", mine: "kept", query: "old" });
  });

  it.each([
    [{}, [""]],
    [{ filename: "b.jpg" }, ["/filename"]],
    [{ filename: null }, ["/filename"]],
    [{ status: "Sourced" }, ["/status"]],
    [{ status: null }, ["/status"]],
    [{ mine: null }, ["/mine"]],
    [{ query: null }, ["/query"]],
    [{ query: " " }, ["/query"]],
    [{ provider: "bing" }, ["/provider"]],
    [{ min_width: 0 }, ["/min_width"]],
    [{ min_width: true }, ["/min_width"]],
    [{ candidate_page: 0 }, ["/candidate_page"]],
    [{ required_terms: [3] }, ["/required_terms"]],
    [{ query_variants: [" "] }, ["/query_variants"]],
    [{ min_width: null, orientation: "wide" }, ["/orientation"]],
  ])("is refused for %j", (changes, pointers) => {
    expect(pointersOf(changes)).toEqual(pointers);
  });
});
