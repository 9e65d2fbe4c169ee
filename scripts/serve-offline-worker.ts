/**
 * The built Worker alone, behind whatever EGRESS_PROXY names, on PORT with its data in STATE. For tests and benches
 * that end its process group while the simulator lives on in their own. INSPECTOR_PORT opens workerd's inspector,
 * CACHE=on keeps results: without it every search is made, as most of them want to count.
 */
import { bootWorker } from "../local/boot.ts";
import { offlineVariables } from "./offline.ts";
import { lockState } from "../local/state-lock.ts";

const port = Number(setting("PORT"));
const state = setting("STATE");
const inspectorPort = process.env["INSPECTOR_PORT"];

await lockState(state);
await bootWorker({
  port,
  variables: {
    ...offlineVariables(setting("EGRESS_PROXY"), `http://127.0.0.1:${port}`),
    CACHE: process.env["CACHE"] ?? "off",
  },
  state,
  verbose: false,
  ...(inspectorPort === undefined ? {} : { inspectorPort: Number(inspectorPort) }),
});

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set.`);
  return value;
}
