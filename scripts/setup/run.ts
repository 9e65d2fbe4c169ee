import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { unstable_readConfig } from "wrangler";
import writeFileAtomic from "write-file-atomic";
import { API_KEYS_FILE, readKeyList, withNewKey } from "./api-keys.ts";
import { Execution } from "./execute.ts";
import { HELP, type SetupOptions } from "./options.ts";
import { type Account, describeStep, EMPTY_ACCOUNT, planSteps, type Step, type Wanted } from "./plan.ts";
import { askSecret, confirm, type Terminal } from "./prompt.ts";
import { checked, generatedSecret, readSecretsFile, secretsOfEnvironment } from "./secrets.ts";
import { UsageError } from "./settings.ts";
import { withVariables } from "./variables.ts";
import { wantedOf } from "./wanted.ts";
import { Wrangler } from "./wrangler.ts";

const CONFIG = "wrangler.toml";
const NOBODY_LEFT = "Nothing was changed.";

export interface Surroundings {
  /** Where wrangler.toml stands. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined when there is nobody to ask. */
  readonly terminal: Terminal | undefined;
  print(line: string): void;
}

/** What is read of wrangler.toml. */
interface WorkerConfig {
  readonly account_id?: string | undefined;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name?: string | undefined }[];
}

/** The whole set-up; returns the exit code. Throws UsageError, WranglerError and Interrupted. */
export async function setUp(options: SetupOptions, surroundings: Surroundings): Promise<number> {
  const { folder, terminal, print } = surroundings;
  if (options.help) {
    print(HELP);
    return 0;
  }
  const configFile = join(folder, CONFIG);
  const config: WorkerConfig = unstable_readConfig({ config: configFile }, { hideWarnings: true });
  const bucket = config.r2_buckets.find(({ binding }) => binding === "BUCKET")?.bucket_name;
  if (bucket === undefined) throw new UsageError("wrangler.toml names no bucket for the binding BUCKET.");
  const given = {
    ...(options.fromEnv ? secretsOfEnvironment(surroundings.env) : {}),
    ...(options.secretsFile === undefined ? {} : await readSecretsFile(resolve(folder, options.secretsFile))),
  };
  const keysFile = join(folder, API_KEYS_FILE);
  const before = await readKeyList(keysFile);
  const made = options.newKey && withNewKey(before ?? { keys: [] }, options.newKey);
  const keys = made?.list ?? before;
  const values = Object.fromEntries(Object.entries(given).map(([name, { value }]) => [name, value]));

  const account = options.dryRun ? EMPTY_ACCOUNT : await readAccount(bucket, config.account_id, values, surroundings);
  const local = {
    bucket,
    variables: stringsOf(config.vars),
    given,
    keys,
    canAsk: !options.yes && (options.dryRun || terminal !== undefined),
  };
  const wanted = wantedOf(options, local, account);
  const steps = planSteps(wanted, account);
  printPlan(steps, wanted, options, print);
  if (options.dryRun) return 0;
  if (steps.length === 0) return 0;
  if (!options.yes && !(await agreed(terminal, print))) return 1;

  if (Object.values(wanted.available).includes("generated")) values["SIGNING_SECRET"] = generatedSecret().value;
  if (terminal !== undefined) await askFor(steps, values, terminal, print);
  const execution = new Execution(new Wrangler(Object.values(values), surroundings), print, {
    setVariables: async (variables) =>
      writeFileAtomic(configFile, withVariables(await readFile(configFile, "utf8"), variables)),
    keysFile,
    keys,
    keysBefore: before,
  });
  await execution.run(steps, values);
  printEnd(made?.key, print);
  return 0;
}

async function readAccount(
  bucket: string,
  configured: string | undefined,
  values: Readonly<Record<string, string>>,
  surroundings: Surroundings,
): Promise<Account> {
  const { env, print } = surroundings;
  const wrangler = new Wrangler(Object.values(values), surroundings);
  const accounts = await wrangler.accounts();
  const chosen = env["CLOUDFLARE_ACCOUNT_ID"] ?? configured;
  if (accounts.length > 1 && chosen === undefined) {
    throw new UsageError(
      `The login reaches several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.join(", ")}.`,
    );
  }
  print(`Account: ${chosen ?? accounts[0] ?? "the one of the login"}`);
  return wrangler.account(bucket);
}

function stringsOf(variables: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

function printPlan(steps: readonly Step[], wanted: Wanted, options: SetupOptions, print: Surroundings["print"]): void {
  print(options.dryRun ? "Plan for an empty account (nobody was asked what is there):" : "Plan:");
  const lines = steps.flatMap(describeStep);
  if (options.newKey) lines.unshift(`${API_KEYS_FILE}: add a key for the tenant ${options.newKey.tenant}`);
  for (const line of lines) print(`  ${line}`);
  if (lines.length === 0) print("  Nothing to do: everything is there.");
  for (const note of wanted.notes) print(`Note: ${note}`);
  if (steps.length === 0 || options.dryRun) print("Next: npm run deploy");
}

async function agreed(terminal: Terminal | undefined, print: Surroundings["print"]): Promise<boolean> {
  if (terminal === undefined) {
    print(`There is no terminal to ask for consent. ${NOBODY_LEFT} Add --yes to do what the plan says.`);
    return false;
  }
  const yes = await confirm("Do this?", terminal);
  if (!yes) print(NOBODY_LEFT);
  return yes;
}

/** Fills in what is asked for; a value that the Worker could not use is asked for again. */
async function askFor(
  steps: readonly Step[],
  values: Record<string, string>,
  terminal: Terminal,
  print: Surroundings["print"],
): Promise<void> {
  const secrets = steps.flatMap((step) => (step.kind === "put-secrets" ? step.secrets : []));
  for (const { name } of secrets.filter(({ source }) => source === "prompt")) {
    for (;;) {
      try {
        const value = checked(name, await askSecret(name, terminal));
        if (value !== "") values[name] = value;
        break;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        print(error.message);
      }
    }
  }
}

function printEnd(key: string | undefined, print: Surroundings["print"]): void {
  if (key !== undefined) {
    print("");
    print("The new API key. It is stored nowhere and shown this once:");
    print(`  ${key}`);
    print("");
  }
  print("Done. Next: npm run deploy");
}
