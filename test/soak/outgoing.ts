import { isIP } from "node:net";
import { TEST_KEYS } from "../upstreams/keys.ts";
import type { LoggedRequest } from "../upstreams/request-log.ts";
import type { Ledger } from "./ledger.ts";
import { SECRETS } from "./tenants.ts";

/** Whose key it is, by the start of its setting's name. */
const OWNERS: Readonly<Record<string, string>> = {
  SERPAPI: "serpapi",
  GOOGLE: "google-cse",
  SERPER: "serper",
  BRAVE: "brave",
  PEXELS: "pexels",
  PIXABAY: "pixabay",
  SAUCENAO: "saucenao",
  GITHUB: "github",
  IMGBB: "imgbb",
  GEMINI: "gemini",
  TAVILY: "tavily",
  CHAT: "chat",
};
const OWNER_OF = new Map(
  Object.entries(TEST_KEYS).map(([name, value]) => [value, OWNERS[name.split("_")[0]!]] as const),
);

/** No upstream of ours is a bare address; the guard's own reading of them is not asked, since it is what is tried. */
function isInside(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replaceAll(/[[\]]/g, "");
  return isIP(name) !== 0 || !name.includes(".") || /\.(?:localhost|local|internal|lan|home)\.?$/.test(name);
}

/** What left the Worker: nothing for an address inside, and a key for nobody but its provider. */
export function judgeOutgoing(requests: readonly LoggedRequest[], ledger: Ledger): void {
  for (const { upstream, host, path, query, headers, body } of requests) {
    const said = `${path} ${JSON.stringify([query, headers])} ${body}`;
    if (isInside(host)) ledger.violation("outgoing", `${host}${path} was asked for`);
    const leaked = SECRETS.find((secret) => said.includes(secret) && OWNER_OF.get(secret) !== upstream);
    if (leaked !== undefined) ledger.violation("outgoing", `${host}${path} was told the secret of somebody else`);
  }
  ledger.count("outgoing requests", requests.length);
}
