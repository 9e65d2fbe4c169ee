/** Damps the weight of first places; the value that Cormack, Clarke and Büttcher (2009) found to work everywhere. */
const K = 60;

/**
 * Merges ranked lists by reciprocal rank: what stands high in several comes first. Items with the same key are one; the
 * first seen stands for it. Ties keep the order of the lists.
 */
export function fuseRanks<T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): T[] {
  const scored = new Map<string, { readonly item: T; score: number }>();
  for (const list of lists) {
    const counted = new Set<string>();
    for (const [index, item] of list.entries()) {
      const key = keyOf(item);
      if (counted.has(key)) continue;
      counted.add(key);
      const entry = scored.get(key) ?? { item, score: 0 };
      entry.score += 1 / (K + index + 1);
      scored.set(key, entry);
    }
  }
  return [...scored.values()].toSorted((one, other) => other.score - one.score).map(({ item }) => item);
}

/** One page under the spellings that engines give its address. */
export function pageKey(link: string): string {
  const { hostname, pathname, search } = new URL(link);
  return `${hostname.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}${search}`;
}
