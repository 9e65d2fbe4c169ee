import { bootPassThrough, bootSluice, directSearch, passThroughSearch, sluiceSearch } from "../contestants.ts";
import { type Load, load, type Target } from "../load.ts";
import { median, percentile } from "../statistics.ts";
import type { StubUpstream } from "../stub-client.ts";
import { ms, type Row } from "../table.ts";

const ROUNDS = 5;
/** Requests of a round, by upstream latency and concurrency: enough for a p99 where it counts, some seconds each. */
const PLAN: readonly { readonly latencyMs: number; readonly concurrency: number; readonly requests: number }[] = [
  { latencyMs: 0, concurrency: 1, requests: 200 },
  { latencyMs: 0, concurrency: 16, requests: 800 },
  { latencyMs: 0, concurrency: 64, requests: 800 },
  { latencyMs: 50, concurrency: 1, requests: 40 },
  { latencyMs: 50, concurrency: 16, requests: 600 },
  { latencyMs: 50, concurrency: 64, requests: 1_000 },
];

/** What Sluice adds to a search: against a Worker that does nothing but pass on, and against the upstream itself. */
export async function overhead(stub: StubUpstream): Promise<Row[]> {
  const sluice = await bootSluice(stub);
  const passThrough = await bootPassThrough(stub);
  const contestants = [directSearch(stub), passThroughSearch(passThrough), sluiceSearch(sluice)];
  try {
    await stub.set({ latencyMs: 0 });
    for (const target of contestants) await load(target, 1_500, 16);
    const rows: Row[] = [];
    for (const { latencyMs, concurrency, requests } of PLAN) {
      await stub.set({ latencyMs });
      const [direct, bare, ours] = await inRounds(contestants, requests, concurrency);
      rows.push(...compared(latencyMs, concurrency, figures(direct!), figures(bare!), figures(ours!)));
    }
    return rows;
  } finally {
    await sluice.close();
    await passThrough.close();
  }
}

/** Turn by turn, so that what else the machine does meets all of them. */
async function inRounds(targets: readonly Target[], requests: number, concurrency: number): Promise<Load[][]> {
  const rounds: Load[][] = targets.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, target] of targets.entries()) rounds[index]!.push(await load(target, requests, concurrency));
  }
  return rounds;
}

interface Figures {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** Medians over the rounds. */
function figures(rounds: readonly Load[]): Figures {
  const of = (share: number) => median(rounds.map(({ times }) => percentile(times, share)));
  return { p50: of(0.5), p95: of(0.95), p99: of(0.99), perSecond: median(rounds.map(({ perSecond }) => perSecond)) };
}

function compared(latencyMs: number, concurrency: number, direct: Figures, bare: Figures, ours: Figures): Row[] {
  const told = (name: string, { p50, p95, p99, perSecond }: Figures) =>
    `${name} ${ms(p50)} / ${ms(p95)} / ${ms(p99)}, ${perSecond.toFixed(0)}/s`;
  const what = `\`/search\`, upstream ${latencyMs} ms, ${concurrency} at a time`;
  const against = `${told("pass-through", bare)}; ${told("upstream itself", direct)}`;
  const figure = told("p50 / p95 / p99", ours);
  const share = ours.perSecond / bare.perSecond;
  const rest = { what, against };
  if (latencyMs === 0) {
    return [
      { ...rest, figure: `${figure} (${share.toFixed(2)} of the pass-through's)`, target: "0.5", holds: share >= 0.5 },
    ];
  }
  const more = { p50: ours.p50 - bare.p50, p99: ours.p99 - bare.p99 };
  const told50 = `${figure} (p50 +${ms(more.p50)}, p99 +${ms(more.p99)})`;
  if (concurrency !== 16) return [{ ...rest, figure: told50, target: "" }];
  return [{ ...rest, figure: told50, target: "p50 +3 ms, p99 +15 ms", holds: more.p50 <= 3 && more.p99 <= 15 }];
}
