import { describe, expect, it } from "vitest";
import { fuseRanks, pageKey } from "../../src/tools/rank-fusion.ts";

const self = (item: string) => item;

describe("merging by reciprocal rank", () => {
  it("puts what two lists agree on before what one list has first", () => {
    expect(
      fuseRanks(
        [
          ["a", "b", "c"],
          ["d", "b"],
        ],
        self,
      ),
    ).toEqual(["b", "a", "d", "c"]);
  });

  it("counts an item once in a list, whatever often it stands there", () => {
    expect(fuseRanks([["a", "b", "b", "b"], ["c"]], self)).toEqual(["a", "c", "b"]);
  });

  it("keeps one list as it is, and nothing as nothing", () => {
    expect(fuseRanks([["x", "y", "z"]], self)).toEqual(["x", "y", "z"]);
    expect(fuseRanks<string>([], self)).toEqual([]);
  });

  it("takes the spellings of one address for one page", () => {
    const [key] = ["https://www.a.example/p/", "http://a.example/p"].map(pageKey);
    expect(pageKey("http://a.example/p#part")).toBe(key);
    expect(pageKey("https://a.example/p?id=2")).not.toBe(key);
  });
});
