import type { Clock } from "../cascade/deadline.ts";
import { withinMs } from "../cascade/within.ts";

/** Where kept searches lie; `within` bounds every wait for it. Nothing here throws: what cannot be read is a miss. */
export interface ResultCache {
  /** The entry under a key, fresh or old. */
  read(key: string): Promise<string | undefined>;
  write(key: string, text: string, facts: EntryFacts): Promise<boolean>;
}

export interface EntryFacts {
  /** Epoch milliseconds. */
  readonly storedAt: number;
  readonly freshUntil: number;
  readonly staleUntil: number;
}

export interface ResultCacheOptions {
  readonly tenant: string;
  readonly clock: Clock;
  readonly bucket: CacheBucket;
  /** The Cache API's own store; it does nothing on `workers.dev` addresses. */
  openCache(): Promise<EdgeCache>;
  waitUntil(work: Promise<unknown>): void;
}

/** As much of R2 as is used. */
export interface CacheBucket {
  get(key: string): Promise<{
    text(): Promise<string>;
    readonly customMetadata?: Record<string, string>;
  } | null>;
  put(
    key: string,
    text: string,
    options: {
      readonly httpMetadata: { readonly contentType: string };
      readonly customMetadata: Record<string, string>;
    },
  ): Promise<unknown>;
}

/** As much of the Cache API as is used. */
export interface EdgeCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

/** For both levels together: a slow cache costs a request no more. */
const READ_MS = 300;
const WRITE_MS = 5_000;

/** Level 1 is the Cache API of the data center, for as long as an entry is fresh; level 2 is R2, for all of them. */
export function resultCache(options: ResultCacheOptions): ResultCache {
  const { tenant, clock, bucket, openCache, waitUntil } = options;

  const keepNear = (key: string, text: string, freshUntil: number) =>
    withinMs(WRITE_MS, async () => {
      const seconds = Math.floor((freshUntil - clock.now()) / 1_000);
      if (seconds < 1) return false;
      const headers = { "content-type": "application/json", "cache-control": `max-age=${seconds}` };
      await (await openCache()).put(nearUrl(tenant, key), new Response(text, { headers }));
      return true;
    });

  const readNear = async (key: string) => {
    try {
      return await (await (await openCache()).match(nearUrl(tenant, key)))?.text();
    } catch {
      return undefined;
    }
  };

  const readFar = async (key: string) => {
    const object = await bucket.get(objectKey(tenant, key));
    if (object === null) return undefined;
    const text = await object.text();
    const freshUntil = Number(object.customMetadata?.["fresh_until"]);
    if (Number.isFinite(freshUntil)) waitUntil(keepNear(key, text, freshUntil));
    return text;
  };

  return {
    read: (key) => withinMs(READ_MS, async () => (await readNear(key)) ?? (await readFar(key))),
    write: async (key, text, { storedAt, freshUntil, staleUntil }) => {
      const [near, far] = await Promise.all([
        keepNear(key, text, freshUntil),
        withinMs(WRITE_MS, async () => {
          await bucket.put(objectKey(tenant, key), text, {
            httpMetadata: { contentType: "application/json" },
            customMetadata: {
              stored_at: String(storedAt),
              fresh_until: String(freshUntil),
              expires: String(Math.max(freshUntil, staleUntil)),
            },
          });
          return true;
        }),
      ]);
      return near === true || far === true;
    },
  };
}

/** Tenants under one prefix, so that one lifecycle rule of the bucket ends them all. */
export function objectKey(tenant: string, key: string): string {
  return `cache/${tenant}/${key}`;
}

/** The Cache API wants a URL; nobody answers under this one. */
export function nearUrl(tenant: string, key: string): string {
  return `https://cache.sluice.invalid/${tenant}/${key}`;
}
