import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { readConfig } from "../../src/config.ts";
import type { Source } from "./plan.ts";
import { LONGEST_SECRET_BYTES, SECRETS, UsageError } from "./settings.ts";

export interface GivenSecret {
  readonly value: string;
  readonly source: Source;
}

/** Secrets of `NAME=value` lines or one JSON object. Throws UsageError naming the name, never the value. */
export async function readSecretsFile(file: string): Promise<Record<string, GivenSecret>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw new UsageError(`The secrets file ${file} cannot be read.`);
  }
  const values = text.trimStart().startsWith("{") ? jsonObject(file, text) : parseEnv(text);
  const given: Record<string, GivenSecret> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name === "API_KEYS") {
      throw new UsageError(`${file}: API_KEYS is made from .sluice/api-keys.json. Add a key with --tenant.`);
    }
    if (!SECRETS.includes(name)) {
      throw new UsageError(`${file}: ${name} is no secret of Sluice. Variables stand in wrangler.toml.`);
    }
    if (typeof value !== "string") throw new UsageError(`${file}: ${name} is not a string.`);
    if (value.trim() !== "") given[name] = { value: checked(name, value), source: "secrets file" };
  }
  return given;
}

export function secretsOfEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, GivenSecret> {
  const given: Record<string, GivenSecret> = {};
  for (const name of SECRETS) {
    const value = env[name];
    if (name === "API_KEYS" || value === undefined || value.trim() === "") continue;
    given[name] = { value: checked(name, value), source: "environment" };
  }
  return given;
}

/** For SIGNING_SECRET: 256 bits. */
export function generatedSecret(): GivenSecret {
  return { value: randomBytes(32).toString("hex"), source: "generated" };
}

/** The value, trimmed, when the Worker could use it. Throws UsageError. */
export function checked(name: string, text: string): string {
  const value = text.trim();
  try {
    readConfig({ [name]: value });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : `${name} cannot be used.`);
  }
  if (Buffer.byteLength(value) > LONGEST_SECRET_BYTES) {
    throw new UsageError(`${name} is over ${LONGEST_SECRET_BYTES} bytes, which is all that Cloudflare takes.`);
  }
  return value;
}

function jsonObject(file: string, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new UsageError(`The secrets file ${file} is not JSON.`);
  }
}
