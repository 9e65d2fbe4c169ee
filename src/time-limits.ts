/** How long one request's work may take, in milliseconds, whichever way it comes in. */
export const TIME_LIMITS_MS = {
  /** The first step may take 15 s; those behind it share what is left. */
  search: 25_000,
  answer: 25_000,
  /** Up to three engines after one another; each may take 25 s at most. */
  reverseImage: 50_000,
  /** A search, and originals of up to 25 MiB each, tried one after another. */
  acquireImage: 90_000,
} as const;
