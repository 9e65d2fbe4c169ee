import { env } from "cloudflare:workers";
import type { Attempt } from "../../src/cascade/attempt.ts";
import { Gateway } from "./gateway.ts";

export interface Answer {
  readonly success?: boolean;
  readonly results: readonly Record<string, unknown>[];
  readonly provider?: string;
  readonly stale?: true;
  readonly attempts: readonly Attempt[];
}

export interface Answered {
  readonly status: number;
  readonly answer: Answer;
  /** `Cache-Status`. */
  readonly cache: string | null;
  readonly age: string | null;
}

export const WEB = { search_type: "web", query: "french alpine landscape", num: 5 };
export const HOUR = 3_600_000;

/** A clock that a test turns on by hand, from the present on. */
export class TestClock {
  #ahead = 0;

  now(): number {
    return Date.now() + this.#ahead;
  }

  advance(ms: number): void {
    this.#ahead += ms;
  }
}

/** A gateway whose cache is on. */
export function cachingGateway(
  variables: Record<string, string> = {},
  options: ConstructorParameters<typeof Gateway>[1] = {},
): Gateway {
  return new Gateway({ CACHE: "on", ...variables }, options);
}

export async function post(
  gateway: Gateway,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await gateway.post(path, body, headers);
  return {
    status: response.status,
    answer: await response.json<Answer>(),
    cache: response.headers.get("cache-status"),
    age: response.headers.get("age"),
  };
}

export async function callsTo(gateway: Gateway, ...upstreams: string[]): Promise<number> {
  return (await gateway.calls()).requests.filter((call) => upstreams.includes(call.upstream)).length;
}

/** What lies in R2 for a tenant, by key. */
export async function kept(tenant = "local"): Promise<{ key: string; entry: Record<string, unknown> }[]> {
  const { objects } = await env.BUCKET.list({ prefix: `cache/${tenant}/` });
  return Promise.all(
    objects.map(async ({ key }) => ({
      key,
      entry: await (await env.BUCKET.get(key))!.json<Record<string, unknown>>(),
    })),
  );
}

/** Writes `text` over what lies under `key` in R2, and takes the copy of the data center away. */
export async function overwrite(key: string, text: string): Promise<void> {
  await env.BUCKET.put(key, text);
  const near = await caches.open("sluice");
  await near.delete(`https://cache.sluice.invalid/${key.replace(/^cache\//, "")}`);
}

/** The Worker's Durable Object namespaces, with every call to an object written into `calls` as `NAMESPACE.method`. */
export function countedObjects(calls: string[]): Record<string, unknown> {
  return Object.fromEntries(
    (["PROVIDER_HEALTH", "RATE_LIMITERS", "PROJECTS", "BATCHES"] as const).map((name) => [
      name,
      {
        getByName: (object: string) => spied(env[name].getByName(object), (method) => calls.push(`${name}.${method}`)),
      },
    ]),
  );
}

/** Stubs answer to any method name, so the calls are seen as they are made. */
function spied<T extends object>(target: T, onCall: (method: string) => void): T {
  return new Proxy(target, {
    get: (object, property) => {
      const member: unknown = Reflect.get(object, property);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        onCall(String(property));
        return Reflect.apply(member, object, args) as unknown;
      };
    },
  });
}
