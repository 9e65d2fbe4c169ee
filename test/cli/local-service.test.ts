import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../local/free-port.ts";
import { until } from "../crash/until.ts";
import { TEST_KEYS } from "../upstreams/keys.ts";
import { filesIn, itemsIn, KEY, PROGRAM, type Ran, type Running, start, World } from "./program.ts";

const ALPS = ["images", "french alpine landscape", "--filename", "alps.jpg", "--provider", "pexels"];
const PEXELS = TEST_KEYS["PEXELS_API_KEY"]!;

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterEach(() => world.heal());
afterAll(() => world.close());

/** Settings of a program that runs the Worker itself, behind the simulator. */
async function alone(more: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  return {
    EGRESS_PROXY: world.upstreams.url,
    CONTACT: "https://sluice.example/contact; ops@sluice.example",
    SLUICE_STATE: join(await world.folder(), "state"),
    ...more,
  };
}

function startAlone(args: readonly string[], env: Record<string, string>, cwd?: string): Running {
  return start(args, { env, ...(cwd === undefined ? {} : { cwd }) });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a program without a deployment", () => {
  it("runs the Worker itself, keeps its pools between runs, and reads keys of providers from .env", async () => {
    const folder = await world.folder({ ".env": `PEXELS_API_KEY=${PEXELS}\nEGRESS_PROXY=http://127.0.0.1:1\n` });
    const env = await alone();
    const args = [...ALPS, "-o", folder, "--save-candidates", "--max-candidates", "2"];
    expect((await startAlone(args, env, folder).ended).code).toBe(0);
    await world.calls();
    expect((await startAlone([...args, "--candidate-page", "2"], env, folder).ended).code).toBe(0);
    // The second page is cut from the pool of the first run.
    expect((await world.calls()).filter((path) => path.includes("/search"))).toEqual([]);
    expect((await filesIn(folder)).filter((path) => path.includes("review/"))).toHaveLength(4);
  });

  it("says which process has its state, and exits 1; what a killed one leaves behind is taken over", async () => {
    const folder = await world.folder();
    const env = await alone({ PEXELS_API_KEY: PEXELS });
    await world.tell("/__faults/pexels", { latencyMs: 20_000 });
    await world.calls();
    const first = startAlone([...ALPS, "-o", folder], env);
    await until("the search is under way", 40_000, async () => (await world.calls()).length > 0);
    const second = await startAlone([...ALPS, "-o", folder], env).ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`in use by process ${first.process.pid}`);

    const [, worker] = (await readFile(join(env["SLUICE_STATE"]!, "lock"), "utf8")).split(" ").map(Number);
    first.process.kill("SIGKILL");
    await first.ended;
    expect(isAlive(worker!)).toBe(true);
    await world.heal();
    expect((await startAlone([...ALPS, "-o", folder], env).ended).code).toBe(0);
    await until("the orphan is gone", 5_000, () => !isAlive(worker!));
    expect(await itemsIn(folder)).toHaveLength(1);
  });

  it("saves what has ended at Ctrl-C, and goes on in the next call", async () => {
    const rows = [
      { filename: "cat.jpg", query: "locomotion house cat", provider: "wikimedia", status: "Pending" },
      { filename: "alps.jpg", query: "french alpine landscape", provider: "pexels", status: "Pending" },
    ];
    const folder = await world.folder({ "image_queries.json": { items: rows } });
    const args = ["images", "--batch", join(folder, "image_queries.json")];
    const env = await alone({ PEXELS_API_KEY: PEXELS });
    await world.tell("/__faults/pexels", { latencyMs: 20_000 });
    const statuses = async () => (await itemsIn(folder, "image_queries.json")).map((row) => row["status"] as string);
    const running = startAlone(args, env);
    await until("one row is saved", 40_000, async () => (await statuses()).includes("Sourced"));
    running.process.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    expect(await statuses()).toEqual(["Sourced", "Pending"]);
    await world.heal();
    expect((await startAlone(args, env).ended).code).toBe(0);
    expect(await statuses()).toEqual(["Sourced", "Sourced"]);
  });

  it("is closed to other programs of the machine: serve takes its own key only", async () => {
    const port = await freePort();
    const running = startAlone(["serve", "--port", String(port)], await alone());
    await until("it says its key", 40_000, () => running.said().includes("Key: "));
    const [, key] = /Key: (\S+)/.exec(running.said())!;
    const ask = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/v1/providers`, { headers }).then(({ status }) => status);
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: "Bearer guessed" })).toBe(401);
    expect(await ask({ authorization: `Bearer ${key}` })).toBe(200);
    running.process.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, ""]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});

describe("a deployment", () => {
  it("gets the key in the Authorization header and shows it nowhere", async () => {
    const folder = await world.folder();
    const ran = await world.run([...ALPS, "-o", folder, "--json"]);
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
    const wrong = await world.run(["providers"], { env: { SLUICE_API_KEY: "not-the-key-at-all" } });
    expect([wrong.code, wrong.stderr.includes("SLUICE_API_KEY")]).toEqual([1, true]);
    expect(wrong.stderr).not.toContain("not-the-key-at-all");
  });

  it("that does not answer is named, exit 1; a URL that holds a key is wrong usage", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const ran = await world.run(["providers"], { env: { SLUICE_URL: url } });
    expect([ran.code, ran.stderr.trim()]).toEqual([1, `${url} cannot be reached.`]);
    const keyed = await world.run(["providers"], { env: { SLUICE_URL: "https://secret@sluice.example" } });
    expect([keyed.code, keyed.stderr.includes("secret")]).toEqual([2, false]);
  });
});

describe("the other commands", () => {
  it("searches the web, and images of any or of cleared licenses", async () => {
    const web = await world.run(["search", "house cat", "--num", "2"]);
    expect([web.code, web.stdout.match(/^ {2}https?:/gm)?.length]).toEqual([0, 2]);
    const images = await world.json(["search", "french alpine landscape", "--images", "--num", "3"]);
    expect(images.document["results"]).toHaveLength(3);
    const cleared = await world.json(["search", "french alpine landscape", "--cleared", "--num", "3"]);
    for (const each of cleared.document["results"]) expect(each["license"]["tier"]).toMatch(/attribution/);
  });

  it("answers a question with its sources", async () => {
    const { code, stdout } = await world.run(["answer", "latest cat", "--max-results", "2"]);
    expect(code).toBe(0);
    expect(stdout.match(/^\[\d\] .+ {2}https:/gm)?.length).toBeGreaterThan(0);
    expect(stdout).toMatch(/^Searched with: (?:gemini|tavily)$/m);
    await world.tell("/__faults/gemini", { class: "transient" });
    await world.tell("/__faults/tavily", { class: "transient" });
    const failed = await world.json(["answer", "latest cat"]);
    expect([failed.code, failed.document["error"].code]).toEqual([1, "tavily_failed"]);
  });

  it("finds where an image comes from, by its URL or by its file", async () => {
    const folder = await world.folder();
    await world.run([...ALPS, "-o", folder]);
    const byFile = await world.json(["reverse-image", join(folder, "alps.jpg")]);
    const url = "https://images.pexels.com/photos/1240028/pexels-photo-1240028.jpeg";
    const byUrl = await world.json(["reverse-image", url]);
    for (const { code, document } of [byFile, byUrl]) {
      expect([code, document["sources"].length + document["similar"].length > 0]).toEqual([0, true]);
    }
    expect((await world.run(["reverse-image", join(folder, "none.jpg")])).code).toBe(2);
  });

  it("lists providers, and says until when one is suspended and why", async () => {
    await world.tell("/__faults/pexels", { class: "rate" });
    await world.run([...ALPS, "-o", await world.folder(), "--project", "limited"]);
    const line = await until("it is suspended", 10_000, async () => {
      const { stdout } = await world.run(["providers"]);
      return /Pexels +suspended[\s\S]*?not before .+/.exec(stdout)?.[0];
    });
    expect(line).toMatch(/pexels: not before \d{4}-.+ \(.+\)/);
  });

  it("has help with examples, and a version", async () => {
    const help = await world.run(["--help"]);
    expect([help.code, help.stdout.includes("Examples:")]).toEqual([0, true]);
    expect((await world.run(["images", "--help"])).stdout).toContain("--save-candidates");
    expect((await world.run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("the launcher", () => {
  it("starts itself again under a newer Node where the running one is too old, and passes everything on", async () => {
    const old = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions,"node",{value:"20.20.2"})')}`;
    const nodeFlags = ["--import", old];
    expect(await world.run(["--version"], { nodeFlags })).toMatchObject({ code: 0 });
    expect((await world.run(["images", "--frobnicate"], { nodeFlags })).code).toBe(2);
    const port = await freePort();
    const running = start(["serve", "--port", String(port)], { env: await alone(), nodeFlags });
    await until("it runs", 40_000, () => running.said().includes("Key: "));
    running.process.kill("SIGTERM");
    expect((await running.ended).code).toBe(0);
  });

  it("takes the manual's own commands, with only the program's name changed", async () => {
    const folder = await world.folder();
    const bin = join(folder, "bin");
    await mkdir(bin);
    await mkdir(join(folder, "images"));
    await chmod(PROGRAM, 0o755);
    await symlink(PROGRAM, join(bin, "sluice"));
    const shell = (command: string): Promise<Ran> =>
      promisify(execFile)("sh", ["-c", command], {
        cwd: folder,
        env: { PATH: `${bin}:${process.env["PATH"]}`, SLUICE_URL: world.worker.url, SLUICE_API_KEY: KEY },
      }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: Ran) => error,
      );
    const queries = join(folder, "images", "image_queries.json");
    const row = { filename: "cat.jpg", query: "locomotion house cat", status: "Pending" };
    await writeFile(queries, JSON.stringify({ items: [row] }));
    for (const command of [
      'sluice images "airplane from above" \\\n--filename plane.jpg \\\n--slide 3 \\\n--orientation landscape \\\n--purpose background \\\n-o images',
      "sluice images --batch images/image_queries.json \\\n-o images \\\n--save-candidates",
      'sluice images "french alpine landscape" --filename alps.jpg -o images \\\n--save-candidates',
      "sluice images --promote candidate_03.jpg --filename alps.jpg -o images",
      'sluice images "french alpine landscape" --filename alps.jpg \\\n-o images --save-candidates --candidate-page 2',
      "sluice images --promote candidate_03.jpg --filename cat.jpg \\\n--batch images/image_queries.json -o images",
      "sluice images --from-url https://images.pexels.com/photos/1240028/pexels-photo-1240028.jpeg --filename own.jpg -o images",
    ]) {
      const { code, stderr } = await shell(command);
      expect([command, code, code === 0 ? "" : stderr]).toEqual([command, 0, ""]);
    }
    const items = await itemsIn(join(folder, "images"));
    expect(items.map(({ filename, status }) => [filename, status])).toEqual([
      ["plane.jpg", "sourced"],
      ["alps.jpg", "promoted"],
      ["cat.jpg", "promoted"],
      ["own.jpg", "manual"],
    ]);
  });
});
