import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { judgeAdvisories } from "../../scripts/audit/advisories.ts";
import { deployed, type Lockfile, lockfileFaults } from "../../scripts/audit/lockfile.ts";
import { RULES } from "../../scripts/audit/rules.ts";

const INTEGRITY = `sha512-${"A".repeat(86)}==`;
const RULE = { installScripts: { built: "has to" }, licenses: ["MIT", "ISC"], notDeployed: {}, served: [] };
const sound = { version: "1.2.3", integrity: INTEGRITY, license: "MIT" };

function lockfile(more: Lockfile["packages"] = {}): Lockfile {
  return {
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { used: "1.2.3" } },
      "node_modules/used": { ...sound, dependencies: { inner: "^1" } },
      "node_modules/used/node_modules/inner": { ...sound, license: "(GPL-3.0-only OR ISC)" },
      "node_modules/built": { ...sound, hasInstallScript: true, license: "LGPL-3.0-or-later" },
      ...more,
    },
  };
}

describe("the audit of the lockfile", () => {
  it("has nothing against our own", async () => {
    const own = JSON.parse(await readFile("package-lock.json", "utf8")) as Lockfile;
    expect(lockfileFaults(own, RULES)).toEqual([]);
    const names = deployed(own, RULES);
    expect(names).toEqual(
      expect.arrayContaining(["node_modules/hono", "node_modules/zod", "node_modules/swagger-ui-dist"]),
    );
    expect(names).not.toContain("node_modules/sharp");
  });

  it("has nothing against a sound one, whatever the license of what is not deployed", () => {
    expect(lockfileFaults(lockfile(), RULE)).toEqual([]);
  });

  it.each<[string, Lockfile["packages"], RegExp]>([
    ["bytes that are not pinned", { "node_modules/used": { version: "1.2.3", license: "MIT" } }, /SHA-512/],
    ["weak pins", { "node_modules/used": { ...sound, integrity: "sha1-AAAA" } }, /SHA-512/],
    ["git", { "node_modules/used": { ...sound, resolved: "git+ssh://git@github.com/a/b.git#1" } }, /registry/],
    ["another registry", { "node_modules/used": { ...sound, resolved: "https://evil.example/a.tgz" } }, /registry/],
    ["plain http", { "node_modules/used": { ...sound, resolved: "http://registry.npmjs.org/a.tgz" } }, /registry/],
    ["a folder", { "node_modules/used": { ...sound, link: true } }, /registry/],
    ["a version that is none", { "node_modules/used": { ...sound, version: "file:../x" } }, /exact version/],
    ["a new script", { "node_modules/more": { ...sound, hasInstallScript: true } }, /more runs a script/],
    ["an old permission", { "node_modules/built": sound }, /take it off the list/],
    ["a license", { "node_modules/used": { ...sound, license: "AGPL-3.0-only" } }, /AGPL/],
    ["no license", { "node_modules/used": { version: "1.2.3", integrity: INTEGRITY } }, /license none/],
    [
      "a license further in",
      { "node_modules/used/node_modules/inner": { ...sound, license: "MIT AND GPL-2.0-only" } },
      /GPL/,
    ],
  ])("objects to %s", (_, packages, why) => {
    expect(lockfileFaults(lockfile(packages), RULE).join("\n")).toMatch(why);
  });
});

describe("advisories", () => {
  const report = (high: number, critical = 0) =>
    JSON.stringify({
      vulnerabilities: { bad: { severity: "high" }, meh: { severity: "low" } },
      metadata: { vulnerabilities: { low: 1, high, critical } },
    });

  it("of high severity fail and are named", () => {
    expect(judgeAdvisories({ exitCode: 1, output: report(1) })).toEqual({
      passes: false,
      text: expect.stringMatching(/bad \(high\)/) as string,
    });
    expect(judgeAdvisories({ exitCode: 1, output: report(0, 1) }).passes).toBe(false);
    expect(judgeAdvisories({ exitCode: 0, output: report(0) }).passes).toBe(true);
  });

  it.each([
    [
      JSON.stringify({ message: "405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security" }),
      /no audit endpoint/,
    ],
    [
      JSON.stringify({ message: "request failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org" }),
      /could not be reached/,
    ],
    ["ETIMEDOUT", /could not be reached/],
  ])("that nobody could ask for are said not to have been checked", (output, text) => {
    const verdict = judgeAdvisories({ exitCode: 1, output });
    expect(verdict.passes).toBe(true);
    expect(verdict.text).toMatch(/^Advisories were not checked/);
    expect(verdict.text).toMatch(text);
  });

  it("that cannot be read fail", () => {
    expect(judgeAdvisories({ exitCode: 1, output: "Error: something else" }).passes).toBe(false);
  });
});
