import { describe, expect, it } from "vitest";
import { checkFilename, sameFilenameIgnoringCase } from "../../src/images/filename.ts";
import { VECTORS } from "./ranking-vectors.ts";

/** A name that cannot become an image, or that a file browser hides, is refused before anything is searched. */
const STRICTER: ReadonlySet<string> = new Set([".hidden.jpg", "noext"]);

describe("a filename", () => {
  it.each(VECTORS.filename.map((each) => [each.filename, each.ok] as const))("%j", (name, ok) => {
    expect(checkFilename(name).ok).toBe(ok && !STRICTER.has(name));
  });

  it("is split into stem and lower-case extension", () => {
    expect(checkFilename("Café.night.JPEG")).toEqual({ ok: true, stem: "Café.night", extension: "jpeg" });
  });

  it.each([
    "a\u0000.jpg",
    "a\n.jpg",
    "a\u202egnp.jpg",
    "\ud800.jpg",
    " a.jpg",
    "a.jpg ",
    "a.gif",
    "a.jpg.",
    "jpg",
    ".jpg",
  ])("is refused as %j", (name) => expect(checkFilename(name).ok).toBe(false));

  it("has room for 120 bytes, not characters", () => {
    expect(checkFilename(`${"a".repeat(116)}.jpg`).ok).toBe(true);
    expect(checkFilename(`${"a".repeat(117)}.jpg`).ok).toBe(false);
    expect(checkFilename(`${"重".repeat(39)}.jpg`)).toEqual({ ok: false, reason: "must not be longer than 120 bytes" });
  });

  it("is the same in any case and composition", () => {
    expect(sameFilenameIgnoringCase("HERO.jpg", "hero.JPG")).toBe(true);
    expect(sameFilenameIgnoringCase("caf\u00e9.jpg", "CAFE\u0301.jpg")).toBe(true);
    expect(sameFilenameIgnoringCase("hero.jpg", "hero2.jpg")).toBe(false);
  });
});
