import { Agent, request } from "node:http";

export interface Target {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** Of the request with this number. */
  body?(number: number): string;
}

export interface Load {
  /** Milliseconds of each request, in the order in which they ended. */
  readonly times: readonly number[];
  readonly perSecond: number;
}

/** Sends `count` requests, `concurrency` at a time, over connections that are kept. Anything but a 200 ends the bench. */
export async function load(target: Target, count: number, concurrency: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const begin = performance.now();
      await exchange(target, next++, agent);
      times.push(performance.now() - begin);
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: concurrency }, client));
  const seconds = (performance.now() - begin) / 1_000;
  agent.destroy();
  return { times, perSecond: count / seconds };
}

function exchange({ url, method, headers, body }: Target, number: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`));
      response.once("error", reject).once("end", resolve).resume();
    });
    sent.once("error", reject).end(body?.(number));
  });
}
