import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

/** Which room a file stands in: the lower its number, the more may import it. */
const FLOORS: readonly (readonly [RegExp, number])[] = [
  [/^src\/(config|errors)\.ts$/, 0],
  [/^src\/(cascade|egress)\//, 1],
  [/^src\/(providers|storage|pixels|cache)\//, 2],
  [/^src\/context\.ts$/, 2],
  [/^src\//, 3],
  [/^durable-objects\//, 4],
  [/^routes\//, 4],
  [/^ui\/pages\//, 0],
];

/** Files of `src/images` that act; all others there decide, so plain Node and property tests run them. */
const ACTORS = /^src\/images\/(acquire|candidates|find|manual|original|previews|promote|refresh|search|store)\.ts$/;
const isDecider = (path: string) => path.startsWith("src/images/") && !ACTORS.test(path);

const files = ["src", "routes", "durable-objects", "ui/pages"]
  .flatMap(walk)
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));
const exempt = "src/worker.ts";

describe("the rules of the house", () => {
  it("reads a house that is there", () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.some(({ path }) => isDecider(path))).toBe(true);
  });

  it("lets imports go down only", () => {
    const climbing = files
      .filter(({ path }) => path !== exempt)
      .flatMap(({ path, text }) =>
        localImports(path, text)
          .filter((target) => floorOf(target) > floorOf(path))
          .map((target) => `${path} imports ${target}`),
      );
    expect(climbing).toEqual([]);
  });

  it("keeps the deciding files of src/images free of HTTP, of the platform and of fetch", () => {
    const impure = files
      .filter(({ path }) => isDecider(path))
      .filter(({ text }) => /from "(cloudflare:|hono|@hono)|\bfetch\(|Date\.now|Math\.random/.test(text))
      .map(({ path }) => path);
    expect(impure).toEqual([]);
  });

  it("calls fetch inside src/egress only", () => {
    const callers = files
      .filter(({ path }) => !path.startsWith("src/egress/"))
      .filter(({ text }) => /(?<![.\w#])fetch\(/.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(callers).toEqual([]);
  });

  it("takes the clock and randomness as arguments", () => {
    const takers = files
      .filter(({ path }) => path !== exempt)
      .filter(({ text }) => /\bDate\.now\(|new Date\(\)|Math\.random\(/.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(takers).toEqual([]);
  });

  it("reads variables and secrets in src/config.ts only", () => {
    const readers = files
      .filter(({ path }) => path !== "src/config.ts")
      .filter(({ text }) =>
        /process\.env|\benv\b(?:\.|\[")(?!BUCKET|PROJECTS|BATCHES|PROVIDER_HEALTH|RATE_LIMITERS)[A-Z]/.test(
          withoutComments(text),
        ),
      )
      .map(({ path }) => path);
    expect(readers).toEqual([]);
  });

  it("keeps test code out of the program", () => {
    const leaks = files
      .filter(({ text }) => /test\/upstreams|NODE_ENV|import\.meta\.vitest/.test(text))
      .map(({ path }) => path);
    expect(leaks).toEqual([]);
  });
});

function floorOf(path: string): number {
  const floor = FLOORS.find(([pattern]) => pattern.test(path));
  if (floor === undefined) throw new Error(`${path} stands in no room of the house`);
  return floor[1];
}

function localImports(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map((match) =>
    relative(".", join(dirname(path), match[1]!)),
  );
}

function walk(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
