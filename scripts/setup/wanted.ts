import { digestOf, type KeyList, secretValue } from "./api-keys.ts";
import type { SetupOptions } from "./options.ts";
import type { Account, Source, Wanted } from "./plan.ts";
import type { GivenSecret } from "./secrets.ts";
import { PROVIDER_SECRETS, UsageError } from "./settings.ts";

export interface Local {
  readonly bucket: string;
  /** Of wrangler.toml, before any change. */
  readonly variables: Readonly<Record<string, string>>;
  /** From the secrets file and the environment. */
  readonly given: Readonly<Record<string, GivenSecret>>;
  /** With the key that is being made, if one is. */
  readonly keys: KeyList | undefined;
  /** Whether there is somebody who can be asked for secrets. */
  readonly canAsk: boolean;
}

/** What the options, this machine and the account come to. Throws UsageError when it would do harm or lacks a value. */
export function wantedOf(options: SetupOptions, local: Local, account: Account): Wanted {
  const available: Record<string, Source> = {};
  for (const [name, { source }] of Object.entries(local.given)) available[name] = source;
  available["SIGNING_SECRET"] ??= "generated";
  const update = new Set(options.update);
  if (mustSendKeys(options, local.keys, account)) {
    available["API_KEYS"] = ".sluice/api-keys.json";
    update.add("API_KEYS");
  }
  if (local.canAsk) for (const name of toAsk(options, local, account)) available[name] ??= "prompt";
  for (const name of update) if (available[name] === undefined) throw new UsageError(noValue(name));
  const variables = changes(options.variables, local.variables);
  return {
    bucket: local.bucket,
    variables,
    available,
    update: [...update],
    notes: notesOn({ ...local.variables, ...variables }, available, account, update),
  };
}

function mustSendKeys(options: SetupOptions, keys: KeyList | undefined, account: Account): boolean {
  if (keys === undefined) return false;
  const changed = keys.sent !== digestOf(secretValue(keys));
  const isThere = account.secrets.includes("API_KEYS");
  if (!changed && isThere) return options.update.includes("API_KEYS");
  if (!isThere) return keys.keys.length > 0;
  if (keys.sent === undefined && !options.replaceKeys) {
    throw new UsageError(
      "The Worker has API_KEYS, and this machine never sent them: sending the list from here would take every other key away. " +
        "Copy .sluice/api-keys.json from the machine that made them, or take them away with --replace-keys.",
    );
  }
  return true;
}

/** All providers' keys the first time, later only what is named. */
function toAsk(options: SetupOptions, local: Local, account: Account): string[] {
  const named = options.update.filter((name) => name !== "API_KEYS");
  if (account.secrets.length > 0) return named;
  const chat = local.variables["CHAT_BASE_URL"] ? ["CHAT_API_KEY"] : [];
  return [...PROVIDER_SECRETS, ...chat, ...named];
}

function changes(wanted: SetupOptions["variables"], now: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => now[name] !== value));
}

function noValue(name: string): string {
  if (name === "API_KEYS")
    return "--update API_KEYS: there is no .sluice/api-keys.json. Make a key with --tenant NAME.";
  return `--update ${name}: there is no value. Give it by --secrets-file or --from-env, or run this in a terminal without --yes.`;
}

function notesOn(
  variables: Readonly<Record<string, string>>,
  available: Readonly<Record<string, Source>>,
  account: Account,
  update: ReadonlySet<string>,
): string[] {
  const notes: string[] = [];
  const has = (name: string) => account.secrets.includes(name) || available[name] !== undefined;
  if (!has("API_KEYS")) {
    notes.push("There is no API key: every route that needs one answers 401. Make one with --tenant NAME.");
  }
  if (!variables["PUBLIC_URL"]) {
    notes.push(
      "PUBLIC_URL is empty: signed links, the image mirror and searches by image data answer 503. Set it with --public-url once you know the address.",
    );
  }
  if (!variables["CONTACT"]) {
    notes.push('CONTACT is empty: Wikimedia refuses callers without one. Set it with --contact "https://… you@…".');
  }
  if (!PROVIDER_SECRETS.some(has)) {
    notes.push("No provider's key is there: only Openverse, Wikimedia Commons, Wikipedia and GitHub are asked.");
  }
  if (
    update.has("SIGNING_SECRET") &&
    account.secrets.includes("SIGNING_SECRET") &&
    !update.has("SIGNING_SECRET_PREVIOUS")
  ) {
    notes.push(
      "Links signed until now end with the old SIGNING_SECRET, unless you send it as SIGNING_SECRET_PREVIOUS (--update SIGNING_SECRET_PREVIOUS).",
    );
  }
  return notes;
}
