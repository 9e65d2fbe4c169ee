import { bootSluice, sluiceSearch } from "../contestants.ts";
import { load } from "../load.ts";
import { median } from "../statistics.ts";
import { SERPAPI_HOST, type StubUpstream } from "../stub-client.ts";
import { ms, type Row } from "../table.ts";

const HEDGE_AFTER_MS = 800;
const FALLBACK_MS = 50;
const ROUNDS = 5;

/** How long a search takes whose first provider never answers. */
export async function hungPrimary(stub: StubUpstream): Promise<Row[]> {
  await stub.set({ latencyMs: FALLBACK_MS });
  const fallback = await timeOf(stub, { WEB_CHAIN: "searxng" }, ROUNDS);
  await stub.set({ latencyMs: FALLBACK_MS, hangs: SERPAPI_HOST });
  const hedged = await timeOf(stub, { HEDGE_AFTER_MS: String(HEDGE_AFTER_MS) }, ROUNDS);
  // Once only: after that the provider is suspended, and nobody waits for it.
  const unhedged = await timeOf(stub, { HEDGE_AFTER_MS: "off" }, 1);
  const limit = (HEDGE_AFTER_MS + fallback) * 1.1;
  return [
    {
      what: "First provider hangs",
      figure: `${ms(hedged)} with hedging`,
      against: `${ms(unhedged)} without; the fallback alone takes ${ms(fallback)}, hedged after ${HEDGE_AFTER_MS} ms`,
      target: `hedgeAfter + fallback + 10 % = ${ms(limit)}`,
      holds: hedged <= limit,
    },
  ];
}

async function timeOf(stub: StubUpstream, variables: Record<string, string>, rounds: number): Promise<number> {
  const worker = await bootSluice(stub, variables);
  try {
    // Nothing is warm in a Worker that was just started: its health answers first, at a route that asks no provider.
    await load({ url: `${worker.url}/healthz`, method: "GET", headers: {} }, 20, 1);
    const { times } = await load(sluiceSearch(worker), rounds, 1);
    return median(times);
  } finally {
    await worker.close();
  }
}
