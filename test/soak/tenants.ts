import { createHash } from "node:crypto";
import { TEST_KEYS } from "../upstreams/keys.ts";

export interface Tenant {
  readonly name: string;
  readonly key: string;
  /** Stands in the names of its files, and in no request of anybody else. */
  readonly mark: string;
  /** Signs what it sends to us. */
  readonly hookSecret: string;
  /** Of its batches' webhooks. */
  readonly webhookSecret: string;
  /** Projects that it has named. */
  readonly projects: Set<string>;
  /** Batches, with their projects; the newest last. */
  readonly batches: { readonly project: string; readonly id: string }[];
}

const SIGNING_SECRET = "the-soak-signs-its-links-with-this-0123456789";

export const TENANTS: readonly Tenant[] = [
  tenant("north", "kestrel"),
  tenant("south", "plover"),
  // Its rate is so low that it is refused now and then.
  tenant("slow", "wagtail"),
];

const LIMITS: Readonly<Record<string, object>> = { slow: { per_minute: 240, burst: 20, upstream_per_day: 5_000 } };

/** Settings of the Worker under soak, over those of `offlineVariables`. */
export const SOAK_VARIABLES: Readonly<Record<string, string>> = {
  LOCAL_TENANT: "",
  SIGNING_SECRET,
  API_KEYS: JSON.stringify(
    TENANTS.map(({ name, key }) => ({ sha256: sha256(key), tenant: name, limits: LIMITS[name] ?? {} })),
  ),
  WEBHOOKS: JSON.stringify(
    Object.fromEntries(TENANTS.map(({ name, hookSecret }) => [name, { secrets: [hookSecret] }])),
  ),
};

/** What must never be seen outside. */
export const SECRETS: readonly string[] = [
  ...Object.entries(TEST_KEYS).flatMap(([name, value]) => (/_(?:KEY|TOKEN|ID|KEY_\d)$/.test(name) ? [value] : [])),
  SIGNING_SECRET,
  ...TENANTS.flatMap(({ key, hookSecret, webhookSecret }) => [key, hookSecret, webhookSecret]),
];

function tenant(name: string, mark: string): Tenant {
  return {
    name,
    mark,
    key: `soak-key-of-${name}-7c1e0b`,
    hookSecret: whsec(`inbound-hooks-of-${name}`),
    webhookSecret: whsec(`outbound-webhooks-of-${name}`),
    projects: new Set(),
    batches: [],
  };
}

function whsec(text: string): string {
  return `whsec_${Buffer.from(text.padEnd(32, "-")).toString("base64")}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
