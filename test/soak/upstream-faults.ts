import { setTimeout as wait } from "node:timers/promises";
import { FAULT_CASES, faultCases } from "../upstreams/fault-cases.ts";
import type { Fault } from "../upstreams/fault.ts";
import type { LoggedRequest } from "../upstreams/request-log.ts";
import type { Dice } from "./dice.ts";
import type { Ledger } from "./ledger.ts";
import { judgeOutgoing } from "./outgoing.ts";
import { SECRETS } from "./tenants.ts";

/** Everything that the simulator stands in for, `images` for the hosts of pictures. */
const UPSTREAMS = [...Object.keys(FAULT_CASES), "images"];

const QUOTING = `Refused: https://api.example/?key=${SECRETS.join("&api_key=")}`;

/** What any upstream can do, by name. */
const GENERAL: Readonly<Record<string, Fault>> = {
  timeout: { class: "timeout" },
  empty: { class: "empty" },
  slow: { latencyMs: 3_000 },
  "slow body": { slowBody: { bytesPerSecond: 4_000 } },
  truncated: { truncate: 300 },
  html: { html: true },
  endless: { endless: true },
  "redirect inside": { redirect: "http://169.254.169.254/latest/meta-data/" },
  "redirect to itself": { redirect: "https://odd.example/progressive.jpg" },
  "quotes keys": { status: 500, body: QUOTING },
  "no content": { status: 204 },
  teapot: { status: 418, body: "{}" },
  "deep JSON": { status: 200, body: "[".repeat(20_000), headers: { "content-type": "application/json" } },
  "wrong types": {
    status: 200,
    body: '{"items":7,"results":{"a":null},"organic_results":"x","images":[null,1,[]],"hits":[{}],"photos":{},"query":[]}',
    headers: { "content-type": "application/json" },
  },
};
const OF_PICTURES: Readonly<Record<string, Fault>> = { bomb: { bomb: true }, gone: { status: 404 } };

interface Kind {
  readonly upstream: string;
  readonly name: string;
  readonly fault: Fault;
  /** Its provider is then left alone for an hour or so. */
  readonly isLasting: boolean;
}

const LASTING = new Set(["auth", "quota", "blocked"]);

/** Every fault of every upstream: each row of its error table, each class, and what any host can do. */
export const FAULT_KINDS: readonly Kind[] = UPSTREAMS.flatMap((upstream) => {
  const cases = faultCases(upstream, { key: "", nowSeconds: 0 }).map(({ id, expected }) => ({
    upstream,
    name: id,
    fault: { case: id },
    isLasting: LASTING.has(expected),
  }));
  const general = { ...GENERAL, ...(upstream === "images" ? OF_PICTURES : {}) };
  const others = Object.entries(general).map(([name, fault]) => ({ upstream, name, fault, isLasting: false }));
  return [...cases, ...others];
});

const MOST_AT_ONCE = 4;
const ROUND_MS = 4_000;
/** Then all of them are well for a moment: with everything in trouble all the time, nothing would be found. */
const ROUNDS_TO_WELL = 6;

/**
 * Lets upstreams fail by turns until `signal` is aborted, and leaves all of them well. Kinds come in an order of their
 * own, so that a long run meets all of them. From `calm` on nobody forgets what it was refused, so lasting ones are left
 * out: otherwise soon nobody would be asked any more.
 */
export async function troubleUpstreams(
  simulatorUrl: string,
  dice: Dice,
  ledger: Ledger,
  calm: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  const queue: Kind[] = [];
  for (let round = 0; !signal.aborted; round++) {
    if (round % ROUNDS_TO_WELL === 0) await send(simulatorUrl, "DELETE", "/__faults");
    const count = round % ROUNDS_TO_WELL === 0 ? 0 : dice.between(1, MOST_AT_ONCE + 1);
    for (let each = 0; each < count; each++) {
      if (queue.length === 0) queue.push(...dice.shuffled(FAULT_KINDS));
      const { upstream, name, fault, isLasting } = queue.pop()!;
      if (isLasting && calm.aborted) continue;
      await send(simulatorUrl, "PUT", `/__faults/${upstream}`, { ...fault, times: dice.between(2, 13) });
      ledger.count(`fault ${upstream}: ${name}`);
    }
    await judgeRequests(simulatorUrl, ledger);
    await wait(dice.between(ROUND_MS / 4, ROUND_MS), undefined, { signal }).catch(() => {});
  }
  await send(simulatorUrl, "DELETE", "/__faults");
  await judgeRequests(simulatorUrl, ledger);
}

/** Those since the last look; the simulator forgets them then. */
async function judgeRequests(simulatorUrl: string, ledger: Ledger): Promise<void> {
  const response = await fetch(`${simulatorUrl}/__requests`);
  const { requests } = (await response.json()) as { requests: LoggedRequest[] };
  await send(simulatorUrl, "DELETE", "/__requests");
  judgeOutgoing(requests, ledger);
}

async function send(simulatorUrl: string, method: string, path: string, body?: Fault): Promise<void> {
  const response = await fetch(simulatorUrl + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${await response.text()}`);
}
