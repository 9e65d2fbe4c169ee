import type { Candidate } from "../../src/images/candidate.ts";
import { dedupe } from "../../src/images/pool.ts";
import { rankCandidates } from "../../src/images/ranking.ts";
import { candidate, request } from "../../test/images/samples.ts";
import { median } from "../statistics.ts";
import type { Row } from "../table.ts";

const SIZES = [100, 1_000, 10_000];
/** Candidates ranked in one measurement, whatever their number at once. */
const WORK = 20_000;
const ROUNDS = 7;
const PLACES = [
  "Jiefangbei monument, Chongqing",
  "Chongqing skyline at night",
  "重庆 解放碑",
  "An old bridge",
  "Harbor",
];

/** Whether ranking takes as long per candidate among ten thousand as among a hundred. */
export function ranking(): Promise<Row[]> {
  const wanted = request({ query: "Chongqing Jiefangbei monument", requiredTerms: ["Chongqing|重庆"] });
  const pools = SIZES.map((size) => Array.from({ length: size }, (_, index) => sample(index)));
  const times: number[][] = SIZES.map(() => []);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, pool] of pools.entries()) {
      const begin = performance.now();
      for (let ranked = 0; ranked < WORK; ranked += pool.length) dedupe(rankCandidates(pool, wanted, "review").ranked);
      // The first round compiles.
      if (round > 0) times[index]!.push(((performance.now() - begin) * 1_000) / WORK);
    }
  }
  const each = times.map(median);
  const growth = each.at(-1)! / each[0]!;
  const told = SIZES.map((size, index) => `${each[index]!.toFixed(1)} µs of ${size.toLocaleString("en")}`).join(", ");
  return Promise.resolve([
    {
      what: "Ranking, per candidate",
      figure: `${growth.toFixed(2)} times as long in the largest pool`,
      against: told,
      target: "linear: at most 2 (sorting adds a logarithm)",
      holds: growth <= 2,
    },
  ]);
}

function sample(index: number): Candidate {
  return candidate({
    assetId: String(index),
    title: `${PLACES[index % PLACES.length]} ${index}`,
    downloadUrl: `https://images.example/${index}.jpg`,
    width: 1_200 + (index % 7) * 300,
    height: 800 + (index % 5) * 250,
  });
}
