import { describe, expect, it } from "vitest";
import { identityOf, readRequiredTerms } from "../../src/images/identity.ts";
import { candidate } from "./samples.ts";

function missing(title: string, ...terms: string[]): readonly string[] {
  return identityOf(candidate({ title, author: "", sourcePageUrl: "" }), readRequiredTerms(terms)).missing;
}

describe("a required name", () => {
  it.each([
    ["Rome", "Forum-Rome_2019"],
    ["Rome", "Roma/Rome"],
    ["Rome", "Rome2019"],
    ["Liberation Monument", "LiberationMonument 2020"],
    ["Liberation Monument", "(Liberation) [Monument]"],
    ["Jiefangbei", "JiefangbeiSquare at night"],
    ["Jiefangbei Square", "JiefangbeiSquare at night"],
    ["Jie Fang Bei", "Jiefangbei"],
    ["São Paulo", "Sao Paulo skyline"],
    ["Xi'an", "Xian city wall"],
    ["U.S. Capitol", "US Capitol"],
    ["解放碑", "重庆解放碑夜景"],
    ["Chongqing", "解放碑Chongqing夜景"],
    ["Straße", "STRASSE"],
    ["Chongqing|重庆", "重庆火锅"],
  ])("%s is found in %s", (term, title) => expect(missing(title, term)).toEqual([]));

  it.each([
    ["Rome", "Chrome forum"],
    ["Rome", "Romelu"],
    ["Donald", "McDonald in the park"],
    ["Boeing 74", "Boeing 747"],
    ["New York", "new yorker"],
    ["York", "NewYork"],
    ["Liberation Monument", "Liberation square statue"],
  ])("%s is not found in %s", (term, title) => expect(missing(title, term)).toEqual([term]));

  it("asks for every group, and gives the missing ones back as they were written", () => {
    expect(missing("Jiefangbei", "Chongqing | 重庆", "Jiefangbei|解放碑")).toEqual(["Chongqing | 重庆"]);
  });

  it("asks for nothing where a group has no letter", () => expect(missing("anything", "--|()")).toEqual([]));

  it("is not read across two fields", () => {
    const split = candidate({ title: "Statue of Liberation", author: "Monument Club", sourcePageUrl: "" });
    expect(identityOf(split, readRequiredTerms(["Liberation Monument"])).evidence).toBe("visual-verification-required");
  });

  it("counts separately what the title alone says", () => {
    const found = candidate({
      title: "Night view",
      author: "",
      sourcePageUrl: "https://x.example/Chongqing_Jiefangbei",
    });
    const identity = identityOf(found, readRequiredTerms(["Chongqing", "Jiefangbei"]));
    expect(identity).toEqual({ evidence: "metadata-verified", missing: [], inTitle: [] });
  });
});
