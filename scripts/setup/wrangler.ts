import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { makeRedactor } from "../../src/egress/redact.ts";
import type { Account, AccountRule } from "./plan.ts";
import { SECRETS } from "./settings.ts";

/** One call talks to an API that answers in seconds. */
const TIME_LIMIT_MS = 120_000;
const LONGEST_MESSAGE = 1_500;

/** A call of wrangler that failed: what it said, and what to do about it. */
export class WranglerError extends Error {
  override readonly name = "WranglerError";
  readonly advice: string | undefined;

  constructor(command: string, output: string) {
    super(`\`wrangler ${command}\` failed:\n${messageOf(output)}`);
    this.advice = adviceFor(output);
  }
}

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WranglerPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs wrangler, never with a secret among its arguments: `input` goes to its standard input. */
export class Wrangler {
  readonly #redact: (text: string) => string;

  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  /** `secrets` are taken out of everything that wrangler prints; `folder` is where wrangler.toml stands. */
  constructor(secrets: readonly string[], { folder, env }: WranglerPlace) {
    this.#redact = makeRedactor(secrets);
    this.#folder = folder;
    this.#env = env;
  }

  /** Names of the accounts that the login reaches. Throws WranglerError when there is no login. */
  async accounts(): Promise<string[]> {
    const result = await this.#run(["whoami", "--json"]);
    if (result.code !== 0) throw new WranglerError("whoami", notLoggedIn(result) ?? this.#redact(outputOf(result)));
    const { accounts } = JSON.parse(result.stdout) as { accounts?: { name: string; id: string }[] };
    return (accounts ?? []).map(({ name, id }) => `${name} (${id})`);
  }

  /** What the bucket and the Worker of wrangler.toml have. */
  async account(bucket: string): Promise<Account> {
    const rules = await this.rules(bucket);
    return { bucketExists: rules !== undefined, rules: rules ?? [], secrets: await this.#secretNames() };
  }

  /** Undefined when there is no such bucket. */
  async rules(bucket: string): Promise<AccountRule[] | undefined> {
    const result = await this.#run(["r2", "bucket", "lifecycle", "list", bucket]);
    if (result.code === 0) return parseRules(result.stdout);
    const output = outputOf(result);
    if (/code: 10006\b|bucket does not exist/i.test(output)) return undefined;
    throw new WranglerError("r2 bucket lifecycle list", this.#redact(output));
  }

  /** Throws WranglerError unless the command succeeds. */
  async must(args: readonly string[], input?: string): Promise<void> {
    const result = await this.#run(args, input);
    if (result.code !== 0) throw new WranglerError(args.join(" "), this.#redact(outputOf(result)));
  }

  async #secretNames(): Promise<string[]> {
    const result = await this.#run(["secret", "list", "--format", "json"]);
    if (result.code === 0) return (JSON.parse(result.stdout) as { name: string }[]).map(({ name }) => name);
    const output = outputOf(result);
    // A Worker that was never deployed has none.
    if (/code: 10007\b|Worker ".*?" .*not found|Worker ".*?" not found/i.test(output)) return [];
    throw new WranglerError("secret list", this.#redact(output));
  }

  #run(args: readonly string[], input = ""): Promise<Result> {
    return new Promise((resolve, reject) => {
      // A pipe for input, so that wrangler knows that there is nobody to ask.
      const child = spawn("wrangler", args, {
        cwd: this.#folder,
        env: environmentOf(this.#env),
        stdio: "pipe",
        timeout: TIME_LIMIT_MS,
      });
      const output = { stdout: "", stderr: "" };
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].setEncoding("utf8").on("data", (chunk: string) => (output[stream] += chunk));
      }
      child.on("error", () => {
        reject(new WranglerError(args.join(" "), "The program wrangler was not found."));
      });
      child.on("close", (code) =>
        resolve({
          code,
          stdout: stripVTControlCharacters(output.stdout),
          stderr: stripVTControlCharacters(output.stderr) + (code === null ? "No answer in two minutes." : ""),
        }),
      );
      // It may end without having read all of it; its exit code says so.
      child.stdin.on("error", () => {});
      child.stdin.end(input);
    });
  }
}

function outputOf({ stdout, stderr }: Result): string {
  return `${stdout}\n${stderr}`;
}

function notLoggedIn({ stdout }: Result): string | undefined {
  return /"loggedIn":\s*false/.test(stdout) ? "Not logged in." : undefined;
}

/** Of `wrangler r2 bucket lifecycle list`: blocks of `name:`, `enabled:`, `prefix:` and `action:`. */
export function parseRules(output: string): AccountRule[] {
  const rules: AccountRule[] = [];
  let fields: Record<string, string> = {};
  for (const line of output.split("\n")) {
    const [, label, value] = /^(name|enabled|prefix|action):\s+(.*?)\s*$/.exec(line) ?? [];
    if (label === undefined || value === undefined) continue;
    fields[label] = value;
    if (label !== "action") continue;
    const { name = "", enabled, prefix = "", action = "" } = fields;
    rules.push({ name, enabled: enabled === "Yes", prefix: prefix === "(all prefixes)" ? "" : prefix, action });
    fields = {};
  }
  return rules;
}

function environmentOf(own: WranglerPlace["env"]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...own, NO_COLOR: "1", FORCE_COLOR: "0", WRANGLER_SEND_METRICS: "false" };
  // It needs none of them, and in its debug log requests would stand with their bodies.
  for (const name of [...SECRETS, "WRANGLER_LOG", "WRANGLER_LOG_SANITIZE"]) delete env[name];
  return env;
}

function messageOf(output: string): string {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(⛅|─+|🪵)/u.test(line))
    .map((line) => `  ${line.trimEnd()}`);
  return lines.join("\n").slice(0, LONGEST_MESSAGE);
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /not logged in|CLOUDFLARE_API_TOKEN environment variable|\bUnauthorized\b/i,
    "Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that may edit Workers Scripts and Workers R2 Storage and read Account Settings.",
  ],
  [/More than one account/i, "Set CLOUDFLARE_ACCOUNT_ID to the account that is meant."],
  [
    /code: 10042\b|enable R2/i,
    "Switch R2 on in the dashboard (R2 Object Storage; it asks for a way to pay), then run this again.",
  ],
  [
    /code: (9109|10000|10001)\b|Authentication error|permission/i,
    "The login lacks a permission: it must be allowed to edit Workers Scripts and Workers R2 Storage and to read Account Settings.",
  ],
  [
    /latest version .*(isn't|is not) currently deployed|code: (10214|10215)\b/i,
    "The newest version of the Worker is not deployed. Run `npm run deploy`, then run this again.",
  ],
  [/code: 10013\b|code: 971\b|rate limit|code: 429\b|too many requests/i, "Wait a minute, then run this again."],
  [
    /resolve Cloudflare's API hostname|fetch failed|ENOTFOUND|ECONNREFUSED|network connect|two minutes/i,
    "Cloudflare's API was not reached. See whether this machine has internet (and HTTPS_PROXY, where it needs one), then run this again.",
  ],
  [
    /wrangler was not found/,
    "Run `npm ci`, then `npm run setup:cloudflare`, which finds the wrangler of this project.",
  ],
];

/** What to do about an error of wrangler, where we know it. */
export function adviceFor(output: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(output))?.[1];
}
