import { mebibytes } from "../../bench/table.ts";
import { growthOf } from "./memory.ts";
import type { SoakResult } from "./soak.ts";
import { FAULT_KINDS } from "./upstream-faults.ts";

/** What a soak did, as it stands in README. */
export function summaryOf({ seed, minutes, ledger, memory, faults }: SoakResult): string {
  const number = (what: string) => ledger.of(what).toLocaleString("en-US");
  const growth = growthOf(memory.live);
  const statuses = [...ledger.under("status ")]
    .toSorted()
    .map(([name, count]) => `${name} ${count.toLocaleString("en-US")}`);
  const lines: readonly (readonly [string, string])[] = [
    ["seed, minutes", `${seed}, ${minutes}`],
    ["requests", `${number("requests")} to ${ledger.under("operation ").size} operations (${statuses.join(", ")})`],
    ["kills", `${number("kills")} of the process group, which cut off ${number("requests cut by a kill")} requests`],
    [
      "stops, clock jumps",
      `${number("stops")} times stopped and let go on, ${number("clock jumps")} changes of the clock`,
    ],
    [
      "faults",
      `${faults.toLocaleString("en-US")}, of ${ledger.under("fault ").size} kinds (there are ${FAULT_KINDS.length})`,
    ],
    ["asked of upstreams", number("outgoing requests")],
    ["batches", `${number("batches")} of ${number("rows")} rows, ${number("rows Sourced")} ended Sourced`],
    ["webhooks", `${number("webhooks")}, ${number("webhooks sent again")} of them again`],
    ["hostile images, addresses", `${number("hostile images")}, ${number("addresses inside")}`],
    ["fuzzed requests", number("fuzzed")],
    [
      "slow, stopped bodies",
      `${number("slow clients")}, ${number("bodies that stopped")} (${number("bodies given up")} given up)`,
    ],
    ["disconnects", number("disconnects")],
    ["asked across tenants", number("asked for another tenant's")],
    ["log lines", number("log lines")],
    [
      "live heap",
      growth === undefined
        ? `${mebibytes(Math.min(...memory.live))} at least; too few samples to say more`
        : `last quarter ${growth.toFixed(2)} times the second one's, of ${memory.live.length} samples`,
    ],
    ["violations", String(ledger.of("violations"))],
  ];
  return lines.map(([name, value]) => `${name.padEnd(26)}${value}`).join("\n");
}
