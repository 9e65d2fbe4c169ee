import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROW = /^\| ([^|]+) \| `([^`|]+)` \| ([^|]+) \|$/;

async function rules(): Promise<{ rule: string; file: string; test: string }[]> {
  const page = await readFile("docs/security.md", "utf8");
  return page.split("\n").flatMap((line) => {
    const [, rule, file, test] = ROW.exec(line) ?? [];
    return rule === undefined || file === undefined || test === undefined ? [] : [{ rule, file, test: test.trim() }];
  });
}

describe("docs/security.md", () => {
  it("names tests that exist, and a test for each rule", async () => {
    const table = await rules();
    expect(table.length).toBeGreaterThan(30);
    for (const { rule, file, test } of table) {
      const source = await readFile(file, "utf8").catch(() => "");
      const titles = [
        ...source.matchAll(/\bit(?:\.\w+(?:<[^>]*>)?\([^\n]*\)|\.\w+)?\(\s*(["'`])((?:\\.|(?!\1).)*)\1/g),
      ].map(([, , title]) => title);
      const called = [...source.matchAll(/\)\(\s*(["'`])((?:\\.|(?!\1).)*)\1/g)].map(([, , title]) => title);
      expect({ rule, file, has: [...titles, ...called].includes(test) ? test : titles }).toEqual({
        rule,
        file,
        has: test,
      });
    }
  });
});

describe("the source", () => {
  it("compares secrets by the platform, in constant time", async () => {
    const secret = "\\w*(?:signature|digest|secret|hmac|password)";
    const compared = new RegExp(`${secret}\\s*[!=]==?|[!=]==?\\s*${secret}`, "i");
    // Whether there is one at all may be asked as usual.
    const missing = new RegExp(`${secret}\\s*[!=]==?\\s*(?:undefined|"")`, "gi");
    const files = (await Promise.all(["src", "routes", "durable-objects"].map(sources))).flat();
    const faults = [];
    for (const file of files) {
      for (const line of (await readFile(file, "utf8")).split("\n")) {
        if (compared.test(line.replaceAll(missing, "")) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
          faults.push(`${file}: ${line.trim()}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await readFile("routes/auth.ts", "utf8")).toContain("crypto.subtle.timingSafeEqual(");
    for (const file of ["src/storage/signed-link.ts", "src/webhooks/signature.ts"]) {
      expect(await readFile(file, "utf8")).toContain('crypto.subtle.verify("HMAC"');
    }
  });

  it("gives assets the headers of every other answer", async () => {
    const headers = await readFile("ui/_headers", "utf8");
    for (const line of [
      "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY",
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; sandbox",
      "Referrer-Policy: no-referrer",
      "Cross-Origin-Resource-Policy: same-origin",
      "Strict-Transport-Security: max-age=15552000; includeSubDomains",
    ]) {
      expect(headers.split("\n")).toContain(`  ${line}`);
    }
    expect(headers).toMatch(/^\/\*\n/);
  });
});

async function sources(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));
}
