import { bootSluice, sluiceSearch } from "../contestants.ts";
import { load } from "../load.ts";
import { SERPAPI_HOST, type StubUpstream } from "../stub-client.ts";
import type { Row } from "../table.ts";

const REQUESTS = 1_000;
const QUERIES = 50;

/** Calls to the search provider that repeated searches make. */
export async function keptAnswers(stub: StubUpstream): Promise<Row[]> {
  const cold = await callsWith(stub, "off");
  const kept = await callsWith(stub, "on");
  return [
    {
      what: `${REQUESTS} searches over ${QUERIES} queries, 16 at a time`,
      figure: `${kept} calls to the provider`,
      against: `${cold} with CACHE=off`,
      target: String(QUERIES),
      holds: kept === QUERIES,
    },
  ];
}

async function callsWith(stub: StubUpstream, cache: "on" | "off"): Promise<number> {
  const worker = await bootSluice(stub, { CACHE: cache });
  try {
    await stub.set({ latencyMs: 5 });
    await load(
      sluiceSearch(worker, (number) => `cat ${number % QUERIES}`),
      REQUESTS,
      16,
    );
    return (await stub.set({ latencyMs: 0 }))[SERPAPI_HOST] ?? 0;
  } finally {
    await worker.close();
  }
}
