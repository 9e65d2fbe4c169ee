/** Rejects when `work` has not ended after `ms`. */
export function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the runner fell silent")), ms);
  });
  // Timers that were left to run out would hold every row of the last minutes in memory.
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits for all to end, also when one of them fails: nobody may begin the next round while others still work. */
export async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
