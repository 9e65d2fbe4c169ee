import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { SluiceError } from "../src/errors.ts";
import { dailyBudgetOf } from "../src/limits/limit-book.ts";
import { type LinkAction, type LinkGrant, verifyLink } from "../src/storage/signed-link.ts";
import { sha256Hex } from "../src/storage/objects.ts";
import type { AppEnv } from "./context.ts";
import { withinLimits } from "./rate-limit.ts";

/** A link whose resource is one that the route can open. */
export interface OpenedLink<R> {
  readonly grant: LinkGrant;
  readonly resource: R;
}

/**
 * Requests of one link. `look` only reads what is there; `act` can make us download something, and each link may do that
 * far less often.
 */
const LINK_LIMITS = {
  look: { per_minute: 120, burst: 60 },
  act: { per_minute: 12, burst: 12 },
} as const;

/**
 * Lets a request through whose link opens what `read` knows and allows `action`, and makes the link's tenant the caller:
 * without scopes, within the link's own rate and the tenant's daily budget. `link-invalid` or `forbidden` otherwise.
 */
export function requireLink<R>(
  read: (resource: string) => R | undefined,
  action: LinkAction,
  kind: keyof typeof LINK_LIMITS,
) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { grant } = await openLink(c, read);
    if (!grant.actions.includes(action)) {
      throw new SluiceError("forbidden", `The link does not allow the action \`${action}\`.`);
    }
    const { config, clock, limitBook } = c.var;
    const daily = dailyBudgetOf(config.apiKeys, grant.tenant);
    const limits = { ...LINK_LIMITS[kind], ...(daily === undefined ? {} : { upstream_per_day: daily }) };
    limitBook.forgetPast(clock.now());
    c.set("caller", { tenant: grant.tenant, scopes: [], key: `link:${kind}:${await digestOf(grant)}`, limits });
    await withinLimits(c, next);
  });
}

/** What the token of the address opens; throws `link-invalid`. */
export async function openLink<R>(
  c: Context<AppEnv>,
  read: (resource: string) => R | undefined,
): Promise<OpenedLink<R>> {
  const { config, clock } = c.var;
  if (config.signingSecrets.length === 0) {
    throw new SluiceError("misconfigured", "Links need the setting SIGNING_SECRET.");
  }
  const grant = await verifyLink(c.req.param("token") ?? "", config.signingSecrets, clock.now());
  const resource = grant === undefined ? undefined : read(grant.resource);
  if (grant === undefined || resource === undefined) {
    throw new SluiceError("link-invalid", "The link has expired or is not one of ours.");
  }
  return { grant, resource };
}

/** Of what the link says, not of how it is written: one signature can be encoded in several ways. */
function digestOf({ tenant, resource, actions, expires }: LinkGrant): Promise<string> {
  const text = JSON.stringify([tenant, resource, actions, expires]);
  return sha256Hex(new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>);
}
