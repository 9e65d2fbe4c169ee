/**
 * `npm run soak -- --minutes 20 --seed 7`: the built Worker, used and ill-treated for so long. Prints what it did, and
 * ends with exit code 1 when anything was not as it must be; the seed makes the same choices again.
 */
import { parseArgs } from "node:util";
import { buildWorker } from "../../local/boot.ts";
import { soak } from "./soak.ts";
import { summaryOf } from "./summary.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error("--minutes must be a number above 0, at most 1440.");
if (!Number.isInteger(seed) || seed < 0) throw new Error("--seed must be a whole number, 0 or more.");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
await buildWorker();
const result = await soak({ seed, minutes, tell: (line) => console.log(line) });
console.log(`\n${summaryOf(result)}`);
const { violations } = result.ledger;
if (violations.length > 0) {
  console.log(`\n${violations.join("\n")}\n\nAgain: npm run soak -- --minutes ${minutes} --seed ${seed}`);
  process.exitCode = 1;
}
