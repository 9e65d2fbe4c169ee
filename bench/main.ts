/**
 * What README claims about speed, measured: `npm run bench`, or one line of it with `-- --only overhead`. Every figure
 * stands beside what it was measured against in the same run. About ten minutes; the machine should do nothing else.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { buildWorker } from "../local/boot.ts";
import { hungPrimary } from "./lines/hung-primary.ts";
import { keptAnswers } from "./lines/kept-answers.ts";
import { memory } from "./lines/memory.ts";
import { batch, sheet } from "./lines/others.ts";
import { overhead } from "./lines/overhead.ts";
import { ranking } from "./lines/ranking.ts";
import { startUp } from "./lines/start-up.ts";
import { StubUpstream } from "./stub-client.ts";
import { renderTable, type Row } from "./table.ts";

const LINES: Readonly<Record<string, (stub: StubUpstream) => Promise<Row[]>>> = {
  overhead,
  "hung-primary": hungPrimary,
  "kept-answers": keptAnswers,
  sheet,
  batch,
  ranking,
  "start-up": startUp,
  memory,
};

const { values: args } = parseArgs({ options: { only: { type: "string" } } });
const { only } = args;
if (only !== undefined && LINES[only] === undefined) {
  throw new Error(`--only must be one of ${Object.keys(LINES).join(", ")}.`);
}

await buildWorker();
const stub = await StubUpstream.start();
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(LINES)) {
    if (only !== undefined && only !== name) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await measure(stub)));
  }
} finally {
  stub.close();
}
console.log(renderTable(rows));
console.log(`\n${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)} at the end, Node ${process.version}.`);
