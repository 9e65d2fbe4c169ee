/** What `work` gives; undefined when it takes longer than `ms`. Rejects as it does. */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same; undefined when it fails as well. */
export async function withinMs<T>(ms: number, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await inTime(ms, work());
  } catch {
    return undefined;
  }
}
