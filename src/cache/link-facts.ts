import type { z } from "zod";
import type { Clock } from "../cascade/deadline.ts";
import { withinMs } from "../cascade/within.ts";
import { CACHE_VERSION, digest } from "./cache-key.ts";
import { type EdgeCache, nearUrl } from "./result-cache.ts";

/** What one isolate remembers of addresses: small facts, the latest used stay. Data only, so requests may share it. */
export class LinkMemory {
  readonly #facts = new Map<string, { readonly text: string; readonly until: number }>();
  readonly #most: number;

  constructor(most = 2_000) {
    this.#most = most;
  }

  get(key: string, now: number): string | undefined {
    const fact = this.#facts.get(key);
    if (fact === undefined) return undefined;
    this.#facts.delete(key);
    if (now >= fact.until) return undefined;
    this.#facts.set(key, fact);
    return fact.text;
  }

  set(key: string, text: string, until: number): void {
    this.#facts.delete(key);
    this.#facts.set(key, { text, until });
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > this.#most && oldest !== undefined) this.#facts.delete(oldest);
  }
}

/** Small facts about addresses: that one is dead, or where our copy of it lies. */
export interface LinkFacts {
  /** Undefined when nothing is known, or what is known is no `schema`. Never rejects. */
  known<T>(kind: string, url: string, schema: z.ZodType<T>): Promise<T | undefined>;
  remember(kind: string, url: string, fact: unknown, seconds: number): void;
}

export interface LinkFactsOptions {
  /** Addresses may be private to whoever searched: what one tenant learns, no other is told. */
  readonly tenant: string;
  readonly proxy?: string;
  readonly clock: Clock;
  readonly memory: LinkMemory;
  openCache(): Promise<EdgeCache>;
  waitUntil(work: Promise<unknown>): void;
}

const READ_MS = 150;
const WRITE_MS = 2_000;

/** In the isolate's memory, and behind it in the Cache API of the data center. */
export function linkFacts(options: LinkFactsOptions): LinkFacts {
  const { tenant, proxy, clock, memory, openCache, waitUntil } = options;
  const keyOf = (kind: string, url: string) =>
    digest(JSON.stringify([CACHE_VERSION, tenant, proxy ?? "", "link", kind, url]));
  const near = async (key: string) => (await (await openCache()).match(nearUrl(tenant, key)))?.text();

  return {
    known: async (kind, url, schema) => {
      const key = await keyOf(kind, url);
      const text = memory.get(key, clock.now()) ?? (await withinMs(READ_MS, () => near(key)));
      if (text === undefined) return undefined;
      const parsed = schema.safeParse(parsedJson(text));
      return parsed.success ? parsed.data : undefined;
    },
    remember: (kind, url, fact, seconds) => {
      const text = JSON.stringify(fact);
      const write = async () => {
        const key = await keyOf(kind, url);
        memory.set(key, text, clock.now() + seconds * 1_000);
        const headers = { "content-type": "application/json", "cache-control": `max-age=${seconds}` };
        await (await openCache()).put(nearUrl(tenant, key), new Response(text, { headers }));
      };
      waitUntil(withinMs(WRITE_MS, write));
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
