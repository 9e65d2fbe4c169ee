import { PROVIDER_SETTINGS, SERVICE_SETTINGS } from "../../src/config.ts";
import { PROVIDERS } from "../../src/providers/registry.ts";

const OPERATED = new Set(
  PROVIDERS.filter((provider) => provider.operatorHost).flatMap((provider) =>
    provider.credentialSets.flatMap((set) => Object.values(set)),
  ),
);

/** Keys of providers: optional, one by one. */
export const PROVIDER_SECRETS: readonly string[] = PROVIDER_SETTINGS.filter((name) => !OPERATED.has(name));

/** Everything that is stored with `wrangler secret`. */
export const SECRETS: readonly string[] = [
  ...SERVICE_SETTINGS.filter(({ secret }) => secret).map(({ name }) => name),
  ...PROVIDER_SECRETS,
];

export interface LifecycleRule {
  readonly name: string;
  readonly prefix: string;
  readonly expireDays: number;
}

/** Cached answers are good for a week at most; what is older is never read again. */
export const LIFECYCLE_RULES: readonly LifecycleRule[] = [{ name: "sluice-cache", prefix: "cache/", expireDays: 8 }];

/** Sluice sends objects whole; a tool that copies into the bucket may leave half an upload, which is billed. */
export const MULTIPART_RULE = { name: "sluice-multipart", abortDays: 1 } as const;

/** Cloudflare takes no longer value (Workers limits, environment variables). */
export const LONGEST_SECRET_BYTES = 5 * 1024;

/** A mistake of whoever runs the set-up, in words for them. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
