import { setTimeout as wait } from "node:timers/promises";

/** Asks again and again until the answer is neither false nor undefined; rejects when `limitMs` is over. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => T | false | undefined | Promise<T | false | undefined>,
  pollMs = 20,
): Promise<T> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    await wait(pollMs);
  }
  throw new Error(`Not within ${limitMs} ms: ${what}.`);
}
