import type { CallerWish, Lookup } from "./cache-status.ts";
import type { Flights } from "./flights.ts";
import type { LinkFacts } from "./link-facts.ts";
import type { ResultCache } from "./result-cache.ts";

/** The cache as one request has it. */
export interface RequestCache {
  readonly tenant: string;
  readonly wish: CallerWish;
  readonly results: ResultCache;
  /** Of the isolate. */
  readonly flights: Flights;
  readonly links: LinkFacts;
  /** Told what became of each search, for `Cache-Status`. */
  note(lookup: Lookup): void;
  waitUntil(work: Promise<unknown>): void;
}
