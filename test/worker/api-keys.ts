export interface TestKey {
  readonly key: string;
  readonly tenant: string;
  readonly scopes?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

/** The setting API_KEYS for these keys. */
export async function apiKeys(...keys: readonly TestKey[]): Promise<string> {
  const entries = keys.map(async ({ key, ...rest }) => ({ sha256: await sha256(key), ...rest }));
  return JSON.stringify(await Promise.all(entries));
}

async function sha256(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}
