import { parseArgs } from "node:util";
import { SCOPES, type Scope } from "../../src/config.ts";
import { SECRETS, UsageError } from "./settings.ts";

export interface NewKey {
  readonly tenant: string;
  readonly scopes: readonly Scope[];
  readonly limits: Readonly<Partial<Record<"per_minute" | "burst" | "upstream_per_day", number>>>;
}

export interface SetupOptions {
  readonly dryRun: boolean;
  /** Asks nothing: neither for consent nor for values. */
  readonly yes: boolean;
  readonly help: boolean;
  readonly secretsFile?: string;
  /** Takes secrets from environment variables of their names. */
  readonly fromEnv: boolean;
  /** Secrets that are sent although the Worker has them. */
  readonly update: readonly string[];
  readonly newKey?: NewKey;
  /** Sends our list of API keys although it cannot be known which ones the Worker has. */
  readonly replaceKeys: boolean;
  readonly variables: Readonly<Partial<Record<"PUBLIC_URL" | "CONTACT", string>>>;
}

export const HELP = `npm run setup:cloudflare -- [options]

Creates what wrangler.toml needs in the Cloudflare account, and nothing that is there already.

  --dry-run             print the plan for an empty account; needs no account and no network
  --yes                 do it without asking, neither for consent nor for secrets
  --secrets-file FILE   secrets as NAME=value lines or as one JSON object
  --from-env            secrets from environment variables of their names
  --update NAME         send this secret although the Worker has one (repeatable)
  --tenant NAME         make an API key for this tenant and show it once
  --scopes A,B          of that key: ${SCOPES.join(", ")} (all of them where missing)
  --per-minute N        requests a minute of that key
  --burst N             requests at once of that key
  --upstream-per-day N  calls to providers a day of that key's tenant
  --replace-keys        send .sluice/api-keys.json although the Worker has keys that it may not list
  --public-url URL      PUBLIC_URL in wrangler.toml
  --contact TEXT        CONTACT in wrangler.toml: a URL and an e-mail address
`;

/** Throws UsageError. */
export function readOptions(argv: readonly string[]): SetupOptions {
  const values = parsed(argv);
  for (const name of values.update) {
    if (!SECRETS.includes(name))
      throw new UsageError(`--update ${name}: no such secret. There are ${SECRETS.join(", ")}.`);
  }
  const key = newKey(values);
  return {
    dryRun: values["dry-run"],
    yes: values.yes,
    help: values.help,
    fromEnv: values["from-env"],
    update: [...new Set(values.update)],
    replaceKeys: values["replace-keys"],
    ...(values["secrets-file"] === undefined ? {} : { secretsFile: values["secrets-file"] }),
    ...(key === undefined ? {} : { newKey: key }),
    variables: {
      ...(values["public-url"] === undefined ? {} : { PUBLIC_URL: publicUrl(values["public-url"]) }),
      ...(values.contact === undefined ? {} : { CONTACT: values.contact }),
    },
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        "dry-run": { type: "boolean", default: false },
        yes: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        "secrets-file": { type: "string" },
        "from-env": { type: "boolean", default: false },
        update: { type: "string", multiple: true, default: [] },
        tenant: { type: "string" },
        scopes: { type: "string" },
        "per-minute": { type: "string" },
        burst: { type: "string" },
        "upstream-per-day": { type: "string" },
        "replace-keys": { type: "boolean", default: false },
        "public-url": { type: "string" },
        contact: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function newKey(values: ReturnType<typeof parsed>): NewKey | undefined {
  const given = {
    per_minute: count("--per-minute", values["per-minute"]),
    burst: count("--burst", values.burst),
    upstream_per_day: count("--upstream-per-day", values["upstream-per-day"]),
  };
  const limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (values.tenant === undefined) {
    if (values.scopes !== undefined || Object.keys(limits).length > 0) {
      throw new UsageError("--scopes and the limits belong to a new key: give --tenant too.");
    }
    return undefined;
  }
  return { tenant: values.tenant, scopes: scopesOf(values.scopes), limits };
}

function scopesOf(text: string | undefined): Scope[] {
  if (text === undefined) return [...SCOPES];
  return text.split(",").map((name) => {
    const scope = SCOPES.find((each) => each === name.trim());
    if (scope === undefined)
      throw new UsageError(`--scopes: there is no scope ${name}. There are ${SCOPES.join(", ")}.`);
    return scope;
  });
}

function count(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${flag} needs a whole number from 1 on.`);
  return Number(text);
}

function publicUrl(text: string): string {
  const url = URL.parse(text);
  if (
    url?.protocol !== "https:" ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.hash !== "" ||
    url.username !== ""
  ) {
    throw new UsageError("--public-url needs an origin: https://sluice.example.com");
  }
  return url.origin;
}
