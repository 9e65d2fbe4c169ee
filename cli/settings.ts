import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { PROVIDER_SETTINGS, SERVICE_SETTINGS } from "../src/config.ts";
import { CommandError, UsageError } from "./failure.ts";

/** The one place of the program that reads the environment. */
export interface Settings {
  /** A deployment to talk to; without it the Worker is run here. */
  readonly remote?: { readonly url: string; readonly key?: string };
  /** Where the Worker that is run here keeps its data. */
  readonly stateFolder: string;
  /** For the Worker that is run here: keys of providers and whatever else it can be told. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the service that `serve` runs; made anew at each start where it is missing. */
  readonly serviceKey?: string;
  readonly concurrency?: number;
}

/** What is set by the program itself, whatever stands in the environment. */
const OWN = new Set(["API_KEYS", "LOCAL_TENANT", "PUBLIC_URL"]);

/**
 * Settings from the environment; keys of providers also from `.env` in the current directory, where the environment has
 * none. Nothing else is read from there: a foreign folder must not say where requests go.
 */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string): Settings {
  const text = (name: string) => {
    const value = env[name]?.trim();
    return value === undefined || value === "" ? undefined : value;
  };
  const file = readEnvFile(join(cwd, ".env"));
  const variables: Record<string, string> = {};
  for (const name of PROVIDER_SETTINGS) {
    const value = text(name) ?? file[name]?.trim();
    if (value !== undefined && value !== "") variables[name] = value;
  }
  for (const { name } of SERVICE_SETTINGS) {
    const value = text(name);
    if (value !== undefined && !OWN.has(name)) variables[name] = value;
  }
  const url = text("SLUICE_URL");
  const key = text("SLUICE_API_KEY");
  const concurrency = text("IMAGE_SEARCH_CONCURRENCY");
  return {
    ...(url === undefined ? {} : { remote: { url: serviceUrl(url), ...(key === undefined ? {} : { key }) } }),
    stateFolder: stateFolder(text, cwd),
    variables,
    ...(key === undefined ? {} : { serviceKey: key }),
    ...(concurrency !== undefined && /^\d+$/.test(concurrency)
      ? { concurrency: Math.max(1, Number(concurrency)) }
      : {}),
  };
}

function stateFolder(text: (name: string) => string | undefined, cwd: string): string {
  const chosen = text("SLUICE_STATE");
  if (chosen !== undefined) return resolve(cwd, chosen);
  return join(text("XDG_STATE_HOME") ?? join(homedir(), ".local", "state"), "sluice");
}

function serviceUrl(value: string): string {
  if (!URL.canParse(value)) throw new UsageError("SLUICE_URL is not a URL.");
  const url = new URL(value);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new UsageError("SLUICE_URL is not an http(s) URL.");
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("SLUICE_URL must not hold a key: put it into SLUICE_API_KEY.");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function readEnvFile(path: string): NodeJS.Dict<string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return {};
    throw new CommandError(`${path} cannot be read.`, 1, { cause: error });
  }
  return parseEnv(text);
}
