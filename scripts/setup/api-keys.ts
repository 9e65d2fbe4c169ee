import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { readConfig } from "../../src/config.ts";
import type { NewKey } from "./options.ts";
import { LONGEST_SECRET_BYTES, UsageError } from "./settings.ts";

/**
 * The list of API keys, digests only. A secret can be written and never read back, so this file is what API_KEYS is
 * made from: without it, adding a key would take the others away.
 */
export const API_KEYS_FILE = ".sluice/api-keys.json";

export interface KeyEntry {
  readonly sha256: string;
  readonly tenant: string;
  readonly scopes?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

export interface KeyList {
  readonly keys: readonly KeyEntry[];
  /** Digest of the value that was sent last: whether the file has changed since. */
  readonly sent?: string;
}

/** Undefined when there is no file. Throws UsageError when it cannot be used; an unreadable list is never replaced. */
export async function readKeyList(file: string): Promise<KeyList | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new UsageError(`${file} cannot be read.`);
  }
  let list: KeyList;
  try {
    list = JSON.parse(text) as KeyList;
  } catch {
    throw new UsageError(`${file} is not JSON. Mend it; nothing was sent.`);
  }
  if (!Array.isArray(list?.keys)) throw new UsageError(`${file} has no list \`keys\`. Mend it; nothing was sent.`);
  secretValue(list);
  return list;
}

/** Atomically, for the owner alone. */
export async function writeKeyList(file: string, list: KeyList): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(
    file,
    `${JSON.stringify(list, null, 2)}
`,
    { mode: 0o600 },
  );
}

/** A key that nobody can guess, and the list with its digest. */
export function withNewKey(list: KeyList, { tenant, scopes, limits }: NewKey): { key: string; list: KeyList } {
  const key = `sluice_${randomBytes(32).toString("base64url")}`;
  const sha256 = digestOf(key);
  const entry = { sha256, tenant, scopes, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
  return { key, list: { ...list, keys: [...list.keys, entry] } };
}

/** The value of API_KEYS, checked by what will read it. Throws UsageError. */
export function secretValue({ keys }: KeyList): string {
  const value = JSON.stringify(keys);
  try {
    readConfig({ API_KEYS: value });
  } catch (error) {
    throw new UsageError(`The list of API keys cannot be used: ${error instanceof Error ? error.message : ""}`);
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > LONGEST_SECRET_BYTES) {
    throw new UsageError(
      `The list of API keys has ${bytes} bytes and Cloudflare takes ${LONGEST_SECRET_BYTES}. Take unused keys out of ${API_KEYS_FILE}.`,
    );
  }
  return value;
}

export function digestOf(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
