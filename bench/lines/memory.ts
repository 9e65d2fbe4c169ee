import { freePort } from "../../local/free-port.ts";
import { bootSluice, sluiceSearch } from "../contestants.ts";
import { openIsolateHeap } from "../isolate-heap.ts";
import { load } from "../load.ts";
import { mean, quarterOf } from "../statistics.ts";
import type { StubUpstream } from "../stub-client.ts";
import { mebibytes, type Row } from "../table.ts";

const REQUESTS = 10_000;
const SAMPLES = 20;
const DISTINCT = 500;

/** What the Worker's isolate holds after a collection, over ten thousand searches with the cache on. */
export async function memory(stub: StubUpstream): Promise<Row[]> {
  await stub.set({ latencyMs: 0 });
  const inspectorPort = await freePort();
  const worker = await bootSluice(stub, { CACHE: "on" }, inspectorPort);
  const wake = () => load({ url: `${worker.url}/healthz`, method: "GET", headers: {} }, 1, 1);
  const heap = await openIsolateHeap(inspectorPort, "core:user:sluice", wake);
  try {
    const live: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      const from = (sample * REQUESTS) / SAMPLES;
      const search = sluiceSearch(worker, (number) => `cat ${(from + number) % DISTINCT}`);
      await load(search, REQUESTS / SAMPLES, 16);
      live.push(await heap.liveBytes());
    }
    const quarter = (number: number) => mean(quarterOf(live, number));
    const growth = quarter(4) / quarter(2);
    return [
      {
        what: `Live heap over ${REQUESTS.toLocaleString("en")} searches, last quarter`,
        figure: `${growth.toFixed(2)} times the second quarter's`,
        against: `${mebibytes(quarter(2))} there, ${mebibytes(quarter(4))} here, after collections`,
        target: "1.10",
        holds: growth <= 1.1,
      },
    ];
  } finally {
    heap.close();
    await worker.close();
  }
}
