/** Goes up whenever kept entries would be read wrongly: all older ones are misses then. */
export const CACHE_VERSION = 1;

/** What makes two searches the same. Holds no key of any provider. */
export interface SearchIdentity {
  readonly tenant: string;
  /** What is learned behind a proxy (a simulator, a recording) is not what the providers themselves say. */
  readonly proxy?: string;
  /** What is searched for: `web`, `image`, … */
  readonly kind: string;
  /** As people type it; written differently it is the same. */
  readonly query: string;
  /** Everything else that changes the answer, compared as it is. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The steps that may be called, in order: a new key or another chain makes another search. */
  readonly steps: readonly string[];
}

/** Search engines read these as orders when they are capitals, and as words otherwise. */
const OPERATORS: ReadonlySet<string> = new Set(["OR", "AND", "NOT"]);

/** SHA-256 in hexadecimal. */
export async function cacheKey(identity: SearchIdentity): Promise<string> {
  const { tenant, proxy, kind, query, options, steps } = identity;
  const sorted = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return digest(JSON.stringify([CACHE_VERSION, tenant, proxy ?? "", kind, normalizedQuery(query), sorted, steps]));
}

/** One spelling of a query: NFKC, spaces collapsed, lower case. */
export function normalizedQuery(query: string): string {
  return query
    .normalize("NFKC")
    .trim()
    .split(/\s+/)
    .map((word) => (OPERATORS.has(word) ? word : word.toLowerCase()))
    .join(" ");
}

/** SHA-256 of a text, in hexadecimal. */
export async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
