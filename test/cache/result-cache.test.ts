import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readEntry, writeEntry } from "../../src/cache/entry.ts";
import { followed, type Flight } from "../../src/cache/flights.ts";
import { LinkMemory } from "../../src/cache/link-facts.ts";
import { type CacheBucket, type EdgeCache, resultCache } from "../../src/cache/result-cache.ts";
import { deadlineIn } from "../../src/cascade/deadline.ts";

const clock = { now: () => 1_000_000 };
const never = <T>() => new Promise<T>(() => {});
const NO_EDGE: EdgeCache = { match: () => Promise.resolve(undefined), put: () => Promise.resolve() };
const FACTS = { storedAt: clock.now(), freshUntil: clock.now() + 60_000, staleUntil: clock.now() + 120_000 };

class MemoryBucket implements CacheBucket {
  readonly objects = new Map<string, { text: string; customMetadata: Record<string, string> }>();

  get(key: string) {
    const object = this.objects.get(key);
    if (object === undefined) return Promise.resolve(null);
    return Promise.resolve({ text: () => Promise.resolve(object.text), customMetadata: object.customMetadata });
  }

  put(key: string, text: string, { customMetadata }: Parameters<CacheBucket["put"]>[2]) {
    this.objects.set(key, { text, customMetadata });
    return Promise.resolve();
  }
}

class MemoryEdge implements EdgeCache {
  readonly responses = new Map<string, Response>();

  match(url: string) {
    return Promise.resolve(this.responses.get(url)?.clone());
  }

  put(url: string, response: Response) {
    this.responses.set(url, response);
    return Promise.resolve();
  }
}

function cacheOver(bucket: CacheBucket, edge: () => Promise<EdgeCache>) {
  const pending: Promise<unknown>[] = [];
  const cache = resultCache({
    tenant: "one",
    clock,
    bucket,
    openCache: edge,
    waitUntil: (work) => void pending.push(work),
  });
  return { cache, settled: () => Promise.all(pending) };
}

describe("the two levels", () => {
  it("give what was written, under the tenant's prefix and with its times", async () => {
    const bucket = new MemoryBucket();
    const { cache } = cacheOver(bucket, () => Promise.resolve(NO_EDGE));
    expect(await cache.read("k")).toBeUndefined();
    expect(await cache.write("k", "text", FACTS)).toBe(true);
    expect(await cache.read("k")).toBe("text");
    expect([...bucket.objects.keys()]).toEqual(["cache/one/k"]);
    expect(bucket.objects.get("cache/one/k")!.customMetadata).toEqual({
      stored_at: "1000000",
      fresh_until: "1060000",
      expires: "1120000",
    });
  });

  it("bring what only R2 had near", async () => {
    const bucket = new MemoryBucket();
    const edge = new MemoryEdge();
    await cacheOver(bucket, () => Promise.resolve(NO_EDGE)).cache.write("k", "text", FACTS);
    const { cache, settled } = cacheOver(bucket, () => Promise.resolve(edge));
    await cache.read("k");
    await settled();
    bucket.objects.clear();
    expect(await cache.read("k")).toBe("text");
    expect([...edge.responses.values()][0]!.headers.get("cache-control")).toBe("max-age=60");
  });

  it.each<readonly [string, () => Promise<never>]>([
    ["hang", never],
    ["fail", () => Promise.reject(new Error("down"))],
  ])("are a miss when both %s", async (_, broken) => {
    const { cache } = cacheOver({ get: broken, put: broken }, broken);
    expect(await cache.read("k")).toBeUndefined();
  });

  it("still read R2 where there is no Cache API", async () => {
    const bucket = new MemoryBucket();
    const { cache } = cacheOver(bucket, () => Promise.reject(new Error("there is none")));
    expect(await cache.write("k", "text", FACTS)).toBe(true);
    expect(await cache.read("k")).toBe("text");
  });
});

describe("an entry", () => {
  const rows = z.object({ title: z.string() });
  const run = {
    hits: [{ name: "serpapi", results: [{ title: "a" }] }],
    attempts: [{ provider: "serpapi", outcome: "hit", ms: 812, cached: false, kept: 1 }],
  } as const;

  it("comes back as it was, until it is of no use", () => {
    const text = writeEntry("k", run, { fresh: 10, staleIfError: 20 }, 1_000)!;
    expect(readEntry(text, "k", rows, 2_000)).toMatchObject({
      hits: run.hits,
      attempts: [{ provider: "serpapi", cached: true, ms: 0 }],
      freshUntil: 11_000,
    });
    expect(readEntry(text, "k", rows, 30_999)).toBeDefined();
    expect(readEntry(text, "k", rows, 31_000)).toBeUndefined();
    expect(readEntry(text, "other", rows, 2_000)).toBeUndefined();
    expect(readEntry(text, "k", z.object({ link: z.string() }), 2_000)).toBeUndefined();
  });

  it("is not kept over half a megabyte", () => {
    const large = { ...run, hits: [{ name: "serpapi", results: [{ title: "ä".repeat(300_000) }] }] };
    expect(writeEntry("k", large, { fresh: 10, staleIfError: 0 }, 0)).toBeUndefined();
  });

  it("is nothing, whatever else lies there", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readEntry(text, "k", rows, 0)).toBeUndefined();
      }),
    );
  });
});

describe("waiting for another request's search", () => {
  it("leaves time for one of one's own", async () => {
    const flight: Flight = { result: never(), endsAt: 1e15, followers: 0 };
    expect(await followed(flight, deadlineIn(200, { now: Date.now }))).toBeUndefined();
    expect(flight.followers).toBe(0);
  });
});

describe("what an isolate remembers of addresses", () => {
  it("is what was used last, for its time", () => {
    const memory = new LinkMemory(2);
    memory.set("a", "1", 100);
    memory.set("b", "2", 100);
    expect(memory.get("a", 0)).toBe("1");
    memory.set("c", "3", 50);
    expect([memory.get("a", 0), memory.get("b", 0), memory.get("c", 0)]).toEqual(["1", undefined, "3"]);
    expect(memory.get("c", 50)).toBeUndefined();
  });
});
