import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { main } from "../../scripts/setup/main.ts";
import type { Terminal } from "../../scripts/setup/prompt.ts";

export interface FakeRule {
  readonly name: string;
  readonly enabled: "Yes" | "No";
  readonly prefix: string;
  readonly action: string;
}

/** What the fake wrangler keeps. */
export interface FakeAccount {
  accounts: { name: string; id: string }[];
  buckets: Record<string, FakeRule[]>;
  /** Null when the Worker does not exist. */
  secrets: Record<string, string> | null;
  /** Beginning of a command → what it fails with; `{stdin}` becomes what it was given. */
  failures: Record<string, string>;
}

export interface Call {
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number;
  /** What was printed, prompts too. */
  readonly output: string;
}

const FAKE = resolve("test/setup/fake-wrangler.ts");

/** A folder with a wrangler.toml, where nothing but a fake `wrangler` stands on the path. */
export class Surroundings {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(account: Partial<FakeAccount> = {}): Promise<Surroundings> {
    const made = new Surroundings(await mkdtemp(join(tmpdir(), "sluice-setup-")));
    await writeFile(made.path("wrangler.toml"), await readFile("wrangler.toml", "utf8"));
    await mkdir(made.path("bin"));
    await writeFile(made.path("bin/wrangler"), `#!/bin/sh\nexec "${process.execPath}" "${FAKE}" "$@"\n`);
    await chmod(made.path("bin/wrangler"), 0o755);
    await made.setAccount({
      accounts: [{ name: "Acme", id: "0".repeat(32) }],
      buckets: {},
      secrets: null,
      failures: {},
      ...account,
    });
    return made;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async account(): Promise<FakeAccount> {
    return JSON.parse(await readFile(this.path("account.json"), "utf8")) as FakeAccount;
  }

  async setAccount(account: FakeAccount): Promise<void> {
    await writeFile(this.path("account.json"), JSON.stringify(account));
  }

  /** How wrangler was called since the last look. */
  async calls(): Promise<Call[]> {
    const text = await readFile(this.path("account.json.calls"), "utf8").catch(() => "");
    await rm(this.path("account.json.calls"), { force: true });
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Call);
  }

  /** Runs the set-up here; `typed` is what somebody types at a terminal, one line for each question. */
  async run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    typed?: readonly string[],
  ): Promise<Ended> {
    let output = "";
    const terminal = typed && terminalOf(typed, (text) => (output += text));
    const code = await main(args, {
      folder: this.folder,
      env: {
        PATH: `${this.path("bin")}:/usr/bin:/bin`,
        HOME: this.folder,
        FAKE_ACCOUNT: this.path("account.json"),
        ...env,
      },
      terminal,
      print: (line) => (output += `${line}\n`),
    });
    return { code, output };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Those that only look. */
export function isReading({ argv }: Call): boolean {
  return argv[0] === "whoami" || argv.includes("list");
}

/** Types the next line whenever a question was printed. */
function terminalOf(typed: readonly string[], show: (text: string) => void): Terminal {
  const left = [...typed];
  const input = new PassThrough();
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.toString();
      show(text);
      if (/(: |\[y\/N\] )$/.test(text)) setImmediate(() => input.write(`${left.shift() ?? "\u0003"}\r\n`));
      done();
    },
  });
  return { input, output };
}
