import type { Clock } from "../cascade/deadline.ts";
import type { Config } from "../config.ts";
import type { CallerWish, Lookup } from "./cache-status.ts";
import { Flights } from "./flights.ts";
import { linkFacts, LinkMemory } from "./link-facts.ts";
import type { RequestCache } from "./request-cache.ts";
import { type CacheBucket, resultCache } from "./result-cache.ts";

export interface RequestCacheOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly tenant: string;
  readonly bucket: CacheBucket;
  readonly wish: CallerWish;
  note(lookup: Lookup): void;
  waitUntil(work: Promise<unknown>): void;
}

/** What this isolate remembers for all its requests: data, and promises of data. */
const flights = new Flights();
const memory = new LinkMemory();

const openCache = () => caches.open("sluice");

/** The cache for one request. */
export function requestCache(options: RequestCacheOptions): RequestCache {
  const { config, clock, tenant, bucket, wish, note, waitUntil } = options;
  const { proxy } = config.egress;
  return {
    tenant,
    wish,
    results: resultCache({ tenant, clock, bucket, openCache, waitUntil }),
    flights,
    links: linkFacts({ tenant, ...(proxy ? { proxy } : {}), clock, memory, openCache, waitUntil }),
    note,
    waitUntil,
  };
}
