const DAY_MS = 86_400_000;

/** Days since 1970-01-01 (UTC) of an epoch time in milliseconds. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Epoch milliseconds at which a day (UTC) begins. */
export function dayStart(day: number): number {
  return day * DAY_MS;
}
