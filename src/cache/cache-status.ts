/** What the cache did for one search. */
export type Lookup =
  | { readonly kind: "hit"; readonly ttl: number; readonly age: number }
  /** Everyone failed, and an old copy stood in. `ttl` is negative. */
  | { readonly kind: "stale"; readonly ttl: number; readonly age: number }
  | { readonly kind: "miss"; readonly stored: boolean; readonly collapsed: boolean }
  /** The caller wanted none of it; `stored` where the answer is kept for others. */
  | { readonly kind: "request"; readonly stored: boolean };

export type CallerWish = "use" | "revalidate" | "none";

/** What the caller's `Cache-Control` asks for. */
export function wishOf(cacheControl: string | undefined): CallerWish {
  const directives = new Set((cacheControl ?? "").split(",").map((part) => part.trim().toLowerCase()));
  if (directives.has("no-store")) return "none";
  return directives.has("no-cache") || directives.has("max-age=0") ? "revalidate" : "use";
}

/**
 * `Cache-Status` (RFC 9211) and `Age` of an answer that is made of one or more searches: it is a hit only when all of
 * them were. An old copy was sent after others had been asked, hence `fwd` and not `hit`.
 */
export function cacheHeaders(lookups: readonly Lookup[]): Readonly<Record<string, string>> {
  const stale = lookups.find((lookup) => lookup.kind === "stale");
  if (stale !== undefined) {
    return { "cache-status": `sluice; fwd=stale; ttl=${stale.ttl}; detail=stale-if-error`, age: String(stale.age) };
  }
  const forwarded = lookups.filter((lookup) => lookup.kind === "miss" || lookup.kind === "request");
  const [first] = forwarded;
  if (first !== undefined) {
    const stored = forwarded.every((lookup) => lookup.stored) ? "; stored" : "";
    const collapsed = forwarded.every((lookup) => lookup.kind === "miss" && lookup.collapsed) ? "; collapsed" : "";
    return { "cache-status": `sluice; fwd=${first.kind}${stored}${collapsed}` };
  }
  const hits = lookups.filter((lookup) => lookup.kind === "hit");
  if (hits.length === 0) return {};
  const ttl = Math.min(...hits.map((hit) => hit.ttl));
  return { "cache-status": `sluice; hit; ttl=${ttl}`, age: String(Math.max(...hits.map((hit) => hit.age))) };
}
