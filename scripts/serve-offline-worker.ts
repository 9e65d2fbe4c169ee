/**
 * The built Worker alone, behind whatever EGRESS_PROXY names, on PORT with its data in STATE. For tests and benches
 * that end its process group while the simulator lives on in their own. INSPECTOR_PORT opens workerd's inspector,
 * CACHE=on keeps results: without it every search is made, as most of them want to count. VARIABLES is JSON of
 * settings over those, CLOCK_SKEW_MS sets the Worker's clock wrong, LOG=on passes its log lines on.
 */
import { bootWorker } from "../local/boot.ts";
import { lockState } from "../local/state-lock.ts";
import { skewedClock } from "../test/soak/skewed-clock.ts";
import { offlineVariables } from "./offline.ts";

const port = Number(setting("PORT"));
const state = setting("STATE");
const inspectorPort = process.env["INSPECTOR_PORT"];
const skewMs = Number(process.env["CLOCK_SKEW_MS"] ?? 0);

await lockState(state);
await bootWorker({
  port,
  variables: {
    ...offlineVariables(setting("EGRESS_PROXY"), `http://127.0.0.1:${port}`),
    CACHE: process.env["CACHE"] ?? "off",
    ...(JSON.parse(process.env["VARIABLES"] ?? "{}") as Record<string, string>),
  },
  state,
  verbose: false,
  ...(process.env["LOG"] === "on" ? { onLine: (line: string) => void process.stdout.write(`${line}\n`) } : {}),
  ...(skewMs === 0 ? {} : { front: skewedClock(skewMs) }),
  ...(inspectorPort === undefined ? {} : { inspectorPort: Number(inspectorPort) }),
});

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set.`);
  return value;
}
