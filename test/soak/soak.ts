import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_CHAINS } from "../../src/web/chains.ts";
import { type FlakyUpstreams, startFlakyUpstreams } from "../crash/flaky-upstreams.ts";
import { Checker } from "../openapi/checker.ts";
import type { Document } from "../openapi/document.ts";
import { Client, Interrupted, type World } from "./client.ts";
import { Deployment } from "./deployment.ts";
import { Dice } from "./dice.ts";
import { Ledger } from "./ledger.ts";
import { batchLife } from "./lives/batch-life.ts";
import { fuzzLife } from "./lives/fuzz-life.ts";
import { hookLife } from "./lives/hook-life.ts";
import { imageLife } from "./lives/image-life.ts";
import { checkProject } from "./lives/project.ts";
import { searchLife } from "./lives/search-life.ts";
import { slowLife, stall } from "./lives/slow-life.ts";
import { checkProjectList, strangerLife } from "./lives/stranger-life.ts";
import { growthOf, type MemorySamples, MOST_GROWTH, MOST_LIVE_BYTES, sampleMemory } from "./memory.ts";
import { type Tenant, TENANTS } from "./tenants.ts";
import { troubleUpstreams } from "./upstream-faults.ts";

export interface SoakOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Gets a line now and then. */
  readonly tell: (line: string) => void;
}

export interface SoakResult {
  readonly seed: number;
  readonly minutes: number;
  readonly ledger: Ledger;
  readonly memory: MemorySamples;
  /** Requests of the Worker that met a fault. */
  readonly faults: number;
}

type Life = (client: Client) => Promise<void>;

interface User {
  readonly name: string;
  readonly tenant: Tenant;
  readonly dice: Dice;
  readonly world: World;
}

/** By the last part nobody kills any more, so that memory can be watched. */
const CALM_PART = 0.35;
const SHARED_LATENCY_MS = 15;
const CONNECTION_FAULTS = 0.05;
/** Beyond the 15 s of a row's lease at times, so that it is handed out a second time. */
const LONGEST_STOP_MS = 18_000;
const MOST_SKEW_MS = 20_000;
const USERS_EACH = 4;

/**
 * Lets clients of several tenants use the built Worker in every way while its upstreams fail and it is killed, stopped
 * and set to a wrong time, and checks what must hold all along. The same seed gives everybody the same lives in the same
 * order, and the same faults, kills and stops; how they interleave is the machine's.
 */
export async function soak({ seed, minutes, tell }: SoakOptions): Promise<SoakResult> {
  const ledger = new Ledger(tell);
  const dice = new Dice(seed);
  const state = await mkdtemp(join(tmpdir(), "sluice-soak-"));
  const upstreams = await startFlakyUpstreams({
    latencyMs: SHARED_LATENCY_MS,
    faultRate: CONNECTION_FAULTS,
    random: seededBy(dice),
  });
  const deployment = await Deployment.prepare(state, upstreams.url, ledger);
  const stopping = new AbortController();
  try {
    await deployment.start({ skewMs: 0, variables: settingsOfLife(dice) });
    const document = (await (await fetch(`${deployment.url}/openapi.json`)).json()) as Document;
    const world = { deployment, ledger, checker: new Checker(document) };
    const lives = weightedLives(document, upstreams);
    const users = TENANTS.flatMap((tenant) =>
      Array.from({ length: USERS_EACH }, (_, index) => ({
        name: `${tenant.name} ${index + 1}`,
        tenant,
        dice: dice.fork(),
        world,
      })),
    );
    const until = (part: number) =>
      wait(minutes * 60_000 * part, undefined, { signal: stopping.signal }).catch(() => {});
    const calm = new AbortController();
    const trouble = troubleUpstreams(upstreams.simulatorUrl, dice.fork(), ledger, calm.signal, stopping.signal);
    const working = Promise.all(users.map((user) => liveOn(user, lives, stopping.signal)));
    const memory = (async () => {
      const disturbing = disturb(deployment, dice.fork(), ledger, calm.signal, minutes);
      await until(1 - CALM_PART);
      calm.abort();
      await disturbing;
      return sampleMemory(deployment, stopping.signal);
    })();
    await Promise.race([until(1), working, trouble, memory]);
    stopping.abort();
    ledger.note("the time is over; what was begun is ended and looked at");
    // Takes longer than the Worker lives where it is killed often.
    const stalled = stall(new Client("the last one", TENANTS[0]!, dice.fork(), world));
    await Promise.all([working, trouble, stalled]);
    await audit(world, dice);
    await deployment.log.close();
    const samples = await memory;
    judgeMemory(samples, ledger);
    return { seed, minutes, ledger, memory: samples, faults: await faultsTaken(upstreams.simulatorUrl) };
  } finally {
    stopping.abort();
    await deployment.end();
    await upstreams.close();
    await rm(state, { recursive: true, force: true });
  }
}

function weightedLives(document: Document, { webhooks }: FlakyUpstreams): (readonly [number, Life])[] {
  return [
    [3, (client) => batchLife(client, webhooks)],
    [3, imageLife],
    [5, searchLife],
    [5, fuzzLife(document)],
    [2, slowLife],
    [2, strangerLife],
    [1, hookLife],
  ];
}

/**
 * One life after the other, until it is time to stop; what was begun is always ended. Each has dice of its own, so that
 * its choices do not depend on how those before it went.
 */
async function liveOn(user: User, lives: readonly (readonly [number, Life])[], signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    const dice = user.dice.fork();
    const life = dice.weighted(lives);
    const client = new Client(`${user.name}, life ${count}`, user.tenant, dice, user.world);
    try {
      await life(client);
    } catch (error) {
      // A life that does not insist ends with the Worker.
      if (!(error instanceof Interrupted)) client.violation(`the soak itself broke: ${(error as Error).stack}`);
    }
    user.world.deployment.log.check();
  }
}

/** Kills, stops and wrong clocks by turns, until it is calm. */
async function disturb(
  deployment: Deployment,
  dice: Dice,
  ledger: Ledger,
  signal: AbortSignal,
  minutes: number,
): Promise<void> {
  // A short run has to have some as well.
  const longestPause = Math.min(25_000, minutes * 15_000);
  const longestStop = Math.min(LONGEST_STOP_MS, minutes * 3_000);
  while (!signal.aborted) {
    await wait(dice.between(longestPause / 5, longestPause), undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    if (dice.chance(0.45)) {
      await deployment.pause(dice.between(200, longestStop));
    } else {
      await deployment.kill();
      const skewMs = dice.chance(0.5) ? dice.between(-MOST_SKEW_MS, MOST_SKEW_MS) : 0;
      if (skewMs !== deployment.skewMs) ledger.count("clock jumps");
      await deployment.start({ skewMs, variables: settingsOfLife(dice) });
      ledger.note(`killed and started again, clock off by ${skewMs} ms; ${ledger.of("requests")} requests so far`);
    }
  }
}

/** In each life another provider comes first, and not all of them keep what they found. */
function settingsOfLife(dice: Dice): Record<string, string> {
  const chains = Object.entries(DEFAULT_CHAINS).map(([name, ids]) => [name, dice.shuffled(ids).join()] as const);
  return { ...Object.fromEntries(chains), CACHE: dice.chance(0.3) ? "on" : "off" };
}

/** Once more, everything that is left. */
async function audit(world: World, dice: Dice): Promise<void> {
  for (const tenant of TENANTS) {
    const client = new Client(`the audit of ${tenant.name}`, tenant, dice.fork(), world);
    for (const project of tenant.projects) {
      await checkProject(client, project);
      client.ledger.count("projects looked at in the end");
    }
    await checkProjectList(client);
  }
}

function judgeMemory({ live }: MemorySamples, ledger: Ledger): void {
  const growth = growthOf(live);
  if (growth !== undefined && growth > MOST_GROWTH) {
    ledger.violation("memory", `the live heap grew ${growth.toFixed(2)} times: ${live.join()}`);
  }
  const least = Math.min(...live.slice(-5));
  if (least > MOST_LIVE_BYTES) ledger.violation("memory", `the isolate holds ${least} bytes at the end`);
}

function seededBy(dice: Dice): () => number {
  const own = dice.fork();
  return () => own.random();
}

async function faultsTaken(simulatorUrl: string): Promise<number> {
  const response = await fetch(`${simulatorUrl}/__faults`);
  return ((await response.json()) as { taken: number }).taken;
}
