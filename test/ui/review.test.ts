import { describe, expect, it } from "vitest";
import { ownPath, webUrl } from "../../ui/client/links.ts";
import { commandOf } from "../../ui/client/review-keys.ts";

const NO_MODIFIERS = { ctrlKey: false, altKey: false, metaKey: false };
const pressed = (key: string, focus = "body") => commandOf({ key, focus, ...NO_MODIFIERS });

describe("keys of the review", () => {
  it("choose, promote, go on and help", () => {
    expect(pressed("3")).toEqual({ kind: "choose", digit: 3 });
    expect(pressed("Enter", "input:radio")).toEqual({ kind: "promote" });
    expect(pressed("Enter", "input:checkbox")).toEqual({ kind: "promote" });
    expect([pressed("n"), pressed("N"), pressed("m"), pressed("?")].map((command) => command?.kind)).toEqual([
      "next",
      "next",
      "manual",
      "help",
    ]);
  });

  it("belong to whoever is writing, to a button that has the focus, and to the browser", () => {
    expect(pressed("3", "input:url")).toBeUndefined();
    expect(pressed("n", "textarea")).toBeUndefined();
    expect(pressed("Enter", "button")).toBeUndefined();
    expect(pressed("Enter", "a")).toBeUndefined();
    expect(commandOf({ key: "n", focus: "body", ...NO_MODIFIERS, ctrlKey: true })).toBeUndefined();
    expect([pressed("0"), pressed("9"), pressed("x")]).toEqual([undefined, undefined, undefined]);
  });
});

describe("addresses", () => {
  it("from upstream are followed to the web only", () => {
    expect(webUrl("https://a.example/x")).toBe("https://a.example/x");
    const refused = ["javascript:alert(1)", "data:text/html,x", "//a.example", "https://u:p@a.example", "", 7];
    expect(refused.map(webUrl)).toEqual(refused.map(() => undefined));
  });

  it("of our own are opened on the origin that the reader came to", () => {
    expect(ownPath("https://sluice.example/review/a.b?x=1")).toBe("/review/a.b?x=1");
    expect(ownPath("/s/a.b/c.jpg")).toBe("/s/a.b/c.jpg");
  });
});
