import type { Config } from "../config.ts";
import { SluiceError } from "../errors.ts";
import { type LinkGrant, signLink } from "./signed-link.ts";

type LinkSettings = Pick<Config, "publicUrl" | "signingSecrets">;

/** A link's path under `folder`, with `name` behind the token for the reader; undefined without SIGNING_SECRET. */
export async function linkPath(
  folder: "s" | "review" | "archive",
  grant: LinkGrant,
  name: string | undefined,
  { signingSecrets: [secret] }: Pick<Config, "signingSecrets">,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const token = await signLink(grant, secret);
  return `/${folder}/${token}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
}

/** The same with its origin, to be given away. Throws `misconfigured` and names the settings that are missing. */
export async function publicLink(
  folder: "review" | "archive",
  grant: LinkGrant,
  name: string | undefined,
  settings: LinkSettings,
): Promise<string> {
  const path = await linkPath(folder, grant, name, settings);
  if (path !== undefined && settings.publicUrl !== undefined) return `${settings.publicUrl}${path}`;
  const missing = [
    ...(settings.publicUrl === undefined ? ["PUBLIC_URL"] : []),
    ...(path === undefined ? ["SIGNING_SECRET"] : []),
  ];
  throw new SluiceError(
    "misconfigured",
    `Links need ${missing.map((setting) => `the setting ${setting}`).join(" and ")}.`,
  );
}
