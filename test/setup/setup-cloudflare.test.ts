import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { type Call, isReading, Surroundings } from "./surroundings.ts";

const SERPAPI = "serpapi-key-of-a-test-3f9a";
const made: Surroundings[] = [];

afterEach(async () => {
  await Promise.all(made.splice(0).map((each) => each.remove()));
});

async function surroundings(...args: Parameters<typeof Surroundings.make>): Promise<Surroundings> {
  const each = await Surroundings.make(...args);
  made.push(each);
  return each;
}

const commands = (calls: readonly Call[]) => calls.filter((call) => !isReading(call)).map(({ argv }) => argv.join(" "));
const keyIn = (output: string) => /^ {2}(sluice_[\w-]{43})$/m.exec(output)?.[1] ?? "";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("setup:cloudflare", { timeout: 60_000 }, () => {
  it("prints its plan with --dry-run, without wrangler, account or trace", async () => {
    const here = await surroundings();
    const { code, output } = await here.run(["--dry-run", "--tenant", "acme"], { PATH: "/nowhere" });
    expect(output).toContain("create the bucket sluice");
    expect(output).toContain("cache/ expires after 8 days");
    expect(output).toContain("send SIGNING_SECRET");
    expect(output).toContain("add a key for the tenant acme");
    expect(output).toContain("npm run deploy");
    expect(code).toBe(0);
    expect(await here.calls()).toEqual([]);
    await expect(stat(here.path(".sluice"))).rejects.toThrow("ENOENT");
  });

  it("fills an empty account in order, and a second run finds nothing to do", async () => {
    const here = await surroundings();
    const args = ["--yes", "--from-env"];
    const first = await here.run([...args, "--tenant", "acme", "--scopes", "search,images", "--per-minute", "60"], {
      SERPAPI_API_KEY: SERPAPI,
    });
    expect(first.output).toContain("Done.");
    expect(first.code).toBe(0);
    const calls = await here.calls();
    expect(commands(calls)).toEqual([
      "r2 bucket create sluice",
      "r2 bucket lifecycle add sluice sluice-cache cache/ --expire-days 8",
      "secret bulk",
    ]);
    const { secrets } = await here.account();
    expect(Object.keys(secrets ?? {}).toSorted()).toEqual(["API_KEYS", "SERPAPI_API_KEY", "SIGNING_SECRET"]);
    expect(secrets?.["SIGNING_SECRET"]).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.parse(secrets?.["API_KEYS"] ?? "")).toEqual([
      { sha256: sha256(keyIn(first.output)), tenant: "acme", scopes: ["search", "images"], limits: { per_minute: 60 } },
    ]);

    const second = await here.run(args, { SERPAPI_API_KEY: SERPAPI });
    expect(second.output).toContain("Nothing to do");
    expect(second.code).toBe(0);
    expect(commands(await here.calls())).toEqual([]);
  });

  it("lets a secret be seen on standard input alone", async () => {
    const here = await surroundings({ failures: { "secret bulk": "Upload of {stdin} failed. [code: 10000]" } });
    const args = ["--yes", "--from-env", "--tenant", "acme"];
    const failed = await here.run(args, { SERPAPI_API_KEY: SERPAPI, WRANGLER_LOG: "debug" });
    const sent = (await here.calls()).at(-1);
    const secrets = [SERPAPI, String((JSON.parse(sent?.stdin ?? "") as Record<string, string>)["SIGNING_SECRET"])];
    await here.setAccount({ ...(await here.account()), failures: {} });
    const done = await here.run(args, { SERPAPI_API_KEY: SERPAPI, WRANGLER_LOG: "debug" });
    const calls = await here.calls();
    secrets.push(String((await here.account()).secrets?.["SIGNING_SECRET"]), keyIn(done.output));
    expect(secrets.every((secret) => secret.length > 20)).toBe(true);
    const shown = [failed.output, done.output.replace(keyIn(done.output), "")].join("\n");
    const seen = calls.map(({ argv, env }) => JSON.stringify([argv, env])).join("\n");
    for (const secret of secrets) {
      expect(shown).not.toContain(secret);
      expect(seen).not.toContain(secret);
    }
    expect(seen).not.toContain("WRANGLER_LOG");
    expect(await readFile(here.path(".sluice/api-keys.json"), "utf8")).not.toContain(keyIn(done.output));
  });

  it("goes on after a failure where it stopped", async () => {
    const here = await surroundings({ failures: { "r2 bucket lifecycle add": "Internal error. [code: 10001]" } });
    const args = ["--yes", "--tenant", "acme"];
    const first = await here.run(args);
    expect(first.code).toBe(1);
    expect(first.output).toContain("done: R2: create the bucket sluice");
    expect(first.output).toContain(
      "`wrangler r2 bucket lifecycle add sluice sluice-cache cache/ --expire-days 8` failed",
    );
    expect(first.output).toContain("What to do:");
    expect((await here.account()).secrets).toBeNull();

    await here.setAccount({ ...(await here.account()), failures: { "secret bulk": "fetch failed" } });
    const second = await here.run(args);
    expect(second.code).toBe(1);
    expect(second.output).toContain("Cloudflare's API was not reached");
    expect(keyIn(second.output)).toBe("");
    expect(JSON.parse(await readFile(here.path(".sluice/api-keys.json"), "utf8"))).toEqual({ keys: [] });
    await here.calls();

    await here.setAccount({ ...(await here.account()), failures: {} });
    const third = await here.run(args);
    expect(third.code).toBe(0);
    expect(commands(await here.calls())).toEqual(["secret bulk"]);
    const keys = JSON.parse((await here.account()).secrets?.["API_KEYS"] ?? "") as { sha256: string }[];
    expect(keys.map((key) => key.sha256)).toEqual([sha256(keyIn(third.output))]);
  });

  it("adds a key to those that are there, and never takes unknown ones away", async () => {
    const here = await surroundings();
    const first = keyIn((await here.run(["--yes", "--tenant", "acme"])).output);
    const second = keyIn((await here.run(["--yes", "--tenant", "beta"])).output);
    const stored = async () =>
      (JSON.parse((await here.account()).secrets?.["API_KEYS"] ?? "") as { sha256: string }[]).map((key) => key.sha256);
    expect(await stored()).toEqual([sha256(first), sha256(second)]);
    expect((await stat(here.path(".sluice/api-keys.json"))).mode & 0o777).toBe(0o600);

    const elsewhere = await surroundings(await here.account());
    const refused = await elsewhere.run(["--yes", "--tenant", "gamma"]);
    expect(refused.code).toBe(2);
    expect(refused.output).toContain("--replace-keys");
    expect(commands(await elsewhere.calls())).toEqual([]);
    const replaced = await elsewhere.run(["--yes", "--tenant", "gamma", "--replace-keys"]);
    expect(replaced.code).toBe(0);
    expect(JSON.parse((await elsewhere.account()).secrets?.["API_KEYS"] ?? "")).toHaveLength(1);
  });

  it("does nothing without consent", async () => {
    const here = await surroundings();
    const { code, output } = await here.run(["--tenant", "acme"]);
    expect(output).toContain("create the bucket sluice");
    expect(output).toContain("Add --yes");
    expect(code).toBe(1);
    expect(commands(await here.calls())).toEqual([]);
    await expect(stat(here.path(".sluice"))).rejects.toThrow("ENOENT");
  });

  it("says what to do without a login, and with several accounts", async () => {
    const nobody = await surroundings({ accounts: [] });
    const missing = await nobody.run(["--yes"]);
    expect(missing.output).toContain("wrangler login");
    expect(missing.code).toBe(1);

    const accounts = ["a", "b"].map((name) => ({ name, id: name.repeat(32) }));
    const several = await surroundings({ accounts });
    const unclear = await several.run(["--yes"]);
    expect(unclear.output).toContain(`b (${"b".repeat(32)})`);
    expect(unclear.code).toBe(2);
    const chosen = await several.run(["--yes"], { CLOUDFLARE_ACCOUNT_ID: "b".repeat(32) });
    expect(chosen.code).toBe(0);
  });

  it("writes variables into wrangler.toml, and sends the secret that --update names", async () => {
    const here = await surroundings({ secrets: { SIGNING_SECRET: "s".repeat(64), SERPAPI_API_KEY: "old" } });
    const before = await readFile(here.path("wrangler.toml"), "utf8");
    const args = [
      "--public-url",
      "https://sluice.example.com/",
      "--contact",
      'https://acme.example "ops"; ops@acme.example',
    ];
    const { output } = await here.run(["--yes", "--from-env", "--update", "SERPAPI_API_KEY", ...args], {
      SERPAPI_API_KEY: SERPAPI,
    });
    expect(output).toContain("Done.");
    const after = await readFile(here.path("wrangler.toml"), "utf8");
    expect(after).toContain('\nPUBLIC_URL = "https://sluice.example.com"\n');
    expect(after).toContain('\nCONTACT = "https://acme.example \\"ops\\"; ops@acme.example"\n');
    const others = (toml: string) => toml.split("\n").filter((line) => !/^(PUBLIC_URL|CONTACT) =/.test(line));
    expect(others(after)).toEqual(others(before));
    expect((await here.account()).secrets).toEqual({ SIGNING_SECRET: "s".repeat(64), SERPAPI_API_KEY: SERPAPI });
    expect((await here.run(["--yes", ...args])).output).toContain("Nothing to do");
  });

  it("asks once for consent and then for the keys, without showing them", async () => {
    const here = await surroundings();
    const { code, output } = await here.run([], {}, ["y", SERPAPI, ...Array.from({ length: 12 }, () => "")]);
    expect(output).toContain("Do this?");
    expect(output).toContain("SERPAPI_API_KEY: \n");
    expect(output).not.toContain(SERPAPI);
    expect(code).toBe(0);
    expect((await here.account()).secrets).toMatchObject({ SERPAPI_API_KEY: SERPAPI });
    expect(Object.keys((await here.account()).secrets ?? {})).toHaveLength(2);

    const again = await here.run([], {}, []);
    expect(again.output).toContain("Nothing to do");

    const refused = await here.run(["--update", "PEXELS_API_KEY"], {}, ["n"]);
    expect(refused.output).toContain("Nothing was changed");
    expect(refused.code).toBe(1);
    const interrupted = await here.run(["--update", "PEXELS_API_KEY"], {}, ["y"]);
    expect(interrupted.code).toBe(130);
    expect(Object.keys((await here.account()).secrets ?? {})).toHaveLength(2);
  });

  it("runs as a program", async () => {
    const here = await surroundings();
    const run = promisify(execFile)(process.execPath, [resolve("scripts/setup-cloudflare.ts"), "--dry-run"], {
      cwd: here.folder,
      env: { PATH: "/nowhere" },
    });
    expect((await run).stdout).toContain("create the bucket sluice");
  });
});
